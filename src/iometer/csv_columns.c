/* csv_columns.c - see csv_columns.h. */
#include "iometer/csv_columns.h"

#include "iometer/bins.h"

static const struct {
	const char *name[IOMETER_LAYOUTS];
	unsigned kinds;
} columns[CSV_BIN] = {
#define X(id, name_80, name_56, kinds) [id] = {{name_80, name_56}, kinds},
	CSV_COLUMN_TABLE(X)
#undef X
};

static const char *const kind_words[] = {
	[IOMETER_ROW_ALL] = "ALL",
	[IOMETER_ROW_MANAGER] = "MANAGER",
	[IOMETER_ROW_PROCESSOR] = "PROCESSOR",
	[IOMETER_ROW_WORKER] = "WORKER",
	[IOMETER_ROW_DISK] = "DISK",
	[IOMETER_ROW_NETWORK] = "NETWORK",
};

const char *csv_column_name(unsigned column, enum iometer_layout layout)
{
	if (column >= CSV_BIN)
		return layout == IOMETER_CSV_80 ? iometer_bin_name(column - CSV_BIN) : NULL;
	return columns[column].name[layout];
}

bool csv_column_has(unsigned column, enum iometer_row_kind kind)
{
	unsigned kinds = column >= CSV_BIN ? CSV_IO : columns[column].kinds;

	return kinds & 1u << kind;
}

const char *csv_kind_word(enum iometer_row_kind kind)
{
	return kind_words[kind];
}
