/* csv_columns.h - the columns of Iometer's results.csv, once for the writer and the reader.
 *
 * Names and order are those of Iometer's own files: 56 columns in 2006.07.27 and 2008, 80 in 1.1.0, which added
 * rates in decimal megabytes and the latency bins. Each row leaves those blank that mean nothing for it.
 */
#ifndef LUNSCOPE_IOMETER_CSV_COLUMNS_H
#define LUNSCOPE_IOMETER_CSV_COLUMNS_H

#include "iometer/result.h"

/* Rows that have a column. */
#define CSV_A	 (1u << IOMETER_ROW_ALL)
#define CSV_M	 (1u << IOMETER_ROW_MANAGER)
#define CSV_P	 (1u << IOMETER_ROW_PROCESSOR)
#define CSV_W	 (1u << IOMETER_ROW_WORKER)
#define CSV_D	 (1u << IOMETER_ROW_DISK | 1u << IOMETER_ROW_NETWORK)
#define CSV_IO	 (CSV_A | CSV_M | CSV_W | CSV_D)
#define CSV_RAWS (CSV_M | CSV_W | CSV_D)
#define CSV_CPUS (CSV_A | CSV_M | CSV_P)
#define CSV_EACH (CSV_IO | CSV_P)

/* id, name in 1.1.0, name in 2006.07.27 (NULL: it has none), rows. The bins follow. */
/* clang-format off */
#define CSV_COLUMN_TABLE(X)                                                                               \
	X(CSV_TYPE, "'Target Type", "'Target Type", CSV_EACH)                                              \
	X(CSV_NAME, "Target Name", "Target Name", CSV_EACH)                                                \
	X(CSV_SPEC, "Access Specification Name", "Access Specification Name", CSV_A | CSV_M | CSV_W)       \
	X(CSV_MANAGERS, "# Managers", "# Managers", CSV_A)                                                 \
	X(CSV_WORKERS, "# Workers", "# Workers", CSV_A | CSV_M)                                            \
	X(CSV_DISKS, "# Disks", "# Disks", CSV_A | CSV_M | CSV_W)                                          \
	X(CSV_IOPS, "IOps", "IOps", CSV_IO)                                                                \
	X(CSV_IOPS_R, "Read IOps", "Read IOps", CSV_IO)                                                    \
	X(CSV_IOPS_W, "Write IOps", "Write IOps", CSV_IO)                                                  \
	X(CSV_MIB, "MiBps (Binary)", "MBps", CSV_IO)                                                       \
	X(CSV_MIB_R, "Read MiBps (Binary)", "Read MBps", CSV_IO)                                           \
	X(CSV_MIB_W, "Write MiBps (Binary)", "Write MBps", CSV_IO)                                         \
	X(CSV_MB, "MBps (Decimal)", NULL, CSV_IO)                                                          \
	X(CSV_MB_R, "Read MBps (Decimal)", NULL, CSV_IO)                                                   \
	X(CSV_MB_W, "Write MBps (Decimal)", NULL, CSV_IO)                                                  \
	X(CSV_TPS, "Transactions per Second", "Transactions per Second", CSV_IO)                           \
	X(CSV_CPS, "Connections per Second", "Connections per Second", CSV_IO)                             \
	X(CSV_MEAN, "Average Response Time", "Average Response Time", CSV_IO)                              \
	X(CSV_MEAN_R, "Average Read Response Time", "Average Read Response Time", CSV_IO)                  \
	X(CSV_MEAN_W, "Average Write Response Time", "Average Write Response Time", CSV_IO)                \
	X(CSV_MEAN_T, "Average Transaction Time", "Average Transaction Time", CSV_IO)                      \
	X(CSV_MEAN_C, "Average Connection Time", "Average Connection Time", CSV_IO)                        \
	X(CSV_MAX, "Maximum Response Time", "Maximum Response Time", CSV_IO)                               \
	X(CSV_MAX_R, "Maximum Read Response Time", "Maximum Read Response Time", CSV_IO)                   \
	X(CSV_MAX_W, "Maximum Write Response Time", "Maximum Write Response Time", CSV_IO)                 \
	X(CSV_MAX_T, "Maximum Transaction Time", "Maximum Transaction Time", CSV_IO)                       \
	X(CSV_MAX_C, "Maximum Connection Time", "Maximum Connection Time", CSV_IO)                         \
	X(CSV_ERRORS, "Errors", "Errors", CSV_IO)                                                          \
	X(CSV_ERRORS_R, "Read Errors", "Read Errors", CSV_IO)                                              \
	X(CSV_ERRORS_W, "Write Errors", "Write Errors", CSV_IO)                                            \
	X(CSV_BYTES_R, "Bytes Read", "Bytes Read", CSV_IO)                                                 \
	X(CSV_BYTES_W, "Bytes Written", "Bytes Written", CSV_IO)                                           \
	X(CSV_IOS_R, "Read I/Os", "Read I/Os", CSV_IO)                                                     \
	X(CSV_IOS_W, "Write I/Os", "Write I/Os", CSV_IO)                                                   \
	X(CSV_CONNECTIONS, "Connections", "Connections", CSV_IO)                                           \
	X(CSV_PER_CONNECTION, "Transactions per Connection", "Transactions per Connection", CSV_IO)        \
	X(CSV_RAW_R, "Total Raw Read Response Time", "Total Raw Read Response Time", CSV_RAWS)             \
	X(CSV_RAW_W, "Total Raw Write Response Time", "Total Raw Write Response Time", CSV_RAWS)           \
	X(CSV_RAW_T, "Total Raw Transaction Time", "Total Raw Transaction Time", CSV_RAWS)                 \
	X(CSV_RAW_C, "Total Raw Connection Time", "Total Raw Connection Time", CSV_RAWS)                   \
	X(CSV_RAW_MAX_R, "Maximum Raw Read Response Time", "Maximum Raw Read Response Time", CSV_RAWS)     \
	X(CSV_RAW_MAX_W, "Maximum Raw Write Response Time", "Maximum Raw Write Response Time", CSV_RAWS)   \
	X(CSV_RAW_MAX_T, "Maximum Raw Transaction Time", "Maximum Raw Transaction Time", CSV_RAWS)         \
	X(CSV_RAW_MAX_C, "Maximum Raw Connection Time", "Maximum Raw Connection Time", CSV_RAWS)           \
	X(CSV_RAW_RUN, "Total Raw Run Time", "Total Raw Run Time", CSV_RAWS)                               \
	X(CSV_START, "Starting Sector", "Starting Sector", CSV_IO)                                         \
	X(CSV_SIZE, "Maximum Size", "Maximum Size", CSV_IO)                                                \
	X(CSV_DEPTH, "Queue Depth", "Queue Depth", CSV_IO)                                                 \
	X(CSV_CPU, "% CPU Utilization", "% CPU Utilization", CSV_CPUS)                                     \
	X(CSV_CPU_USER, "% User Time", "% User Time", CSV_CPUS)                                            \
	X(CSV_CPU_SYSTEM, "% Privileged Time", "% Privileged Time", CSV_CPUS)                              \
	X(CSV_CPU_DPC, "% DPC Time", "% DPC Time", CSV_CPUS)                                               \
	X(CSV_CPU_IRQ, "% Interrupt Time", "% Interrupt Time", CSV_CPUS)                                   \
	X(CSV_TICKS, "Processor Speed", "Processor Speed", CSV_RAWS | CSV_P)                               \
	X(CSV_INTERRUPTS, "Interrupts per Second", "Interrupts per Second", CSV_CPUS)                      \
	X(CSV_EFFECTIVENESS, "CPU Effectiveness", "CPU Effectiveness", CSV_A | CSV_M)                      \
	X(CSV_PACKETS, "Packets/Second", "Packets/Second", CSV_A | CSV_M)                                  \
	X(CSV_PACKET_ERRORS, "Packet Errors", "Packet Errors", CSV_A | CSV_M)                              \
	X(CSV_RETRANSMITS, "Segments Retransmitted/Second", "Segments Retransmitted/Second", CSV_A | CSV_M)
/* clang-format on */

enum csv_column {
#define X(id, ...) id,
	CSV_COLUMN_TABLE(X)
#undef X
		CSV_BIN,
	CSV_COLUMNS = CSV_BIN + IOMETER_BINS
};

/* The second index of csv_column_name(). */
enum iometer_layout {
	IOMETER_CSV_80, /* 1.1.0 */
	IOMETER_CSV_56, /* 2006.07.27 and 2008 */
	IOMETER_LAYOUTS
};

/* NULL: the layout does not have it. */
const char *csv_column_name(unsigned column, enum iometer_layout layout);
/* Whether a row of this kind has something in it. */
bool csv_column_has(unsigned column, enum iometer_row_kind kind);
/* "ALL", "MANAGER", ... */
const char *csv_kind_word(enum iometer_row_kind kind);

#endif
