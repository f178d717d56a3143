/* scsi.c - the words of SCSI: how a command ended, and which LUN this is.
 *
 * libiscsi has words for some sense codes only; the table here has those of disks (SPC-4, annex D).
 */
#include "backends/iscsi/iscsi.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

uint64_t iscsi_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SEC_NS + (uint64_t)t.tv_nsec;
}

struct scsi_end scsi_end_of(int status, const struct scsi_task *task)
{
	struct scsi_end end = {.status = status};

	if (status == SCSI_STATUS_CHECK_CONDITION && task) {
		end.key = (uint8_t)task->sense.key;
		end.ascq = (uint16_t)task->sense.ascq;
	}
	return end;
}

static const char *const keys[16] = {
	"NO SENSE",       "RECOVERED ERROR", "NOT READY",      "MEDIUM ERROR",
	"HARDWARE ERROR", "ILLEGAL REQUEST", "UNIT ATTENTION", "DATA PROTECT",
	"BLANK CHECK",    "VENDOR SPECIFIC", "COPY ABORTED",   "ABORTED COMMAND",
	"RESERVED",       "VOLUME OVERFLOW", "MISCOMPARE",     "COMPLETED",
};

static const struct {
	uint16_t ascq;
	const char *words;
} codes[] = {
	{0x0400, "not ready"},
	{0x0401, "becoming ready"},
	{0x0402, "needs to be started"},
	{0x0403, "manual intervention needed"},
	{0x040b, "target port in standby"},
	{0x040c, "target port unavailable"},
	{0x0412, "offline"},
	{0x0c00, "write error"},
	{0x0c02, "write error, reallocation failed"},
	{0x1000, "block guard check failed"},
	{0x1100, "unrecovered read error"},
	{0x1104, "unrecovered read error, reallocation failed"},
	{0x1400, "recorded entity not found"},
	{0x1a00, "parameter list length error"},
	{0x2000, "unknown command"},
	{0x2100, "block address out of range"},
	{0x2400, "invalid field in command"},
	{0x2500, "no such LUN"},
	{0x2600, "invalid field in parameter list"},
	{0x2700, "write protected"},
	{0x2707, "no space left in the pool"},
	{0x2900, "power on, reset, or new session"},
	{0x2a01, "mode parameters changed"},
	{0x2a02, "log parameters changed"},
	{0x2a03, "reservations preempted"},
	{0x2a04, "reservations released"},
	{0x2a05, "registrations preempted"},
	{0x2a06, "asymmetric access state changed"},
	{0x2a09, "capacity has changed"},
	{0x2f00, "commands cleared by another initiator"},
	{0x3800, "thin provisioning threshold reached"},
	{0x3807, "thin provisioning threshold reached"},
	{0x3a00, "no medium"},
	{0x3e01, "logical unit failure"},
	{0x3f03, "inquiry data changed"},
	{0x3f0e, "list of LUNs changed"},
	{0x4400, "internal target failure"},
	{0x4700, "parity error"},
	{0x4701, "data digest error"},
	{0x4b00, "data phase error"},
	{0x4e00, "overlapped commands"},
	{0x5500, "out of resources"},
};

static const char *status_words(int status)
{
	switch (status) {
	case SCSI_STATUS_GOOD: return "GOOD";
	case SCSI_STATUS_CHECK_CONDITION: return "CHECK CONDITION";
	case SCSI_STATUS_CONDITION_MET: return "CONDITION MET";
	case SCSI_STATUS_BUSY: return "BUSY";
	case SCSI_STATUS_RESERVATION_CONFLICT: return "RESERVATION CONFLICT";
	case SCSI_STATUS_TASK_SET_FULL: return "TASK SET FULL";
	case SCSI_STATUS_ACA_ACTIVE: return "ACA ACTIVE";
	case SCSI_STATUS_TASK_ABORTED: return "TASK ABORTED";
	case SCSI_STATUS_CANCELLED: return "the session was lost";
	case SCSI_STATUS_TIMEOUT: return "no answer in time";
	}
	return NULL;
}

char *scsi_end_words(const struct scsi_end *end, char *out, size_t n)
{
	const char *words = status_words(end->status);

	if (end->status != SCSI_STATUS_CHECK_CONDITION) {
		if (words)
			snprintf(out, n, "%s", words);
		else
			snprintf(out, n, "status 0x%x", (unsigned)end->status);
		return out;
	}
	words = NULL;
	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes) && !words; i++)
		if (codes[i].ascq == end->ascq)
			words = codes[i].words;
	snprintf(out, n, "%s%s%s (%x/%02x/%02x)", keys[end->key & 15], words ? ", " : "",
		 words ? words : "", end->key, end->ascq >> 8, end->ascq & 0xff);
	return out;
}

int scsi_end_errno(const struct scsi_end *end)
{
	switch (end->status) {
	case SCSI_STATUS_RESERVATION_CONFLICT: return EBUSY;
	case SCSI_STATUS_BUSY:
	case SCSI_STATUS_TASK_SET_FULL: return EAGAIN;
	case SCSI_STATUS_CANCELLED: return ENOTCONN;
	case SCSI_STATUS_TIMEOUT: return ETIMEDOUT;
	case SCSI_STATUS_CHECK_CONDITION: break;
	default: return EREMOTEIO;
	}
	switch (end->ascq) {
	case 0x2100: return ERANGE;
	case 0x2500: return ENXIO;
	case 0x2700: return EROFS;
	case 0x2707: return ENOSPC;
	case 0x3a00: return ENOMEDIUM;
	}
	switch (end->key) {
	case 2: return ENODEV;
	case 3:
	case 4: return EIO;
	case 5: return EINVAL;
	case 6: return EAGAIN;
	case 7: return EACCES;
	case 11: return ECONNABORTED;
	}
	return EREMOTEIO;
}

void scsi_text(const uint8_t *field, size_t length, char *out, size_t n)
{
	size_t used = 0;

	while (length && (field[length - 1] == ' ' || field[length - 1] == 0))
		length--;
	while (length && *field == ' ') {
		field++;
		length--;
	}
	for (size_t i = 0; i < length && used + 1 < n; i++)
		out[used++] = isprint(field[i]) ? (char)field[i] : '?';
	out[used] = 0;
}

/* Longer NAA names are worth more, as the kernel has it too: a registered extended one is the volume's
 * own, a locally assigned one is not. */
static int designator_rank(const uint8_t *d)
{
	unsigned type = d[1] & 15, length = d[3];

	if (d[1] & 0x30) /* of the port or the target, not of the LUN */
		return 0;
	switch (type) {
	case 3:
		if (length < 8)
			return 0;
		return d[4] >> 4 == 6 && length >= 16 ? 9
		       : d[4] >> 4 == 5               ? 8
		       : d[4] >> 4 == 2               ? 7
						      : 5;
	case 2: return length >= 8 ? 6 : 0;
	case 8: return 4;
	case 1: return 3;
	}
	return 0;
}

static void designator_words(const uint8_t *d, char *out, size_t n)
{
	unsigned type = d[1] & 15, length = d[3];
	size_t used = 0;

	if (type == 1 || type == 8) {
		if (type == 1)
			used = (size_t)snprintf(out, n, "t10.");
		scsi_text(d + 4, length, out + used, n - used);
		return;
	}
	used = (size_t)snprintf(out, n, type == 3 ? "naa." : "eui.");
	for (unsigned i = 0; i < length && used + 2 < n; i++)
		used += (size_t)snprintf(out + used, n - used, "%02x", d[4 + i]);
}

void scsi_page83_id(const uint8_t *page, size_t length, char *out, size_t n)
{
	const uint8_t *best = NULL;
	int rank = 0;

	out[0] = 0;
	if (length < 4 || page[1] != 0x83)
		return;
	if (length > 4 + be16(page + 2))
		length = 4 + be16(page + 2);
	for (size_t at = 4; at + 4 <= length && at + 4 + page[at + 3] <= length;
	     at += 4 + (size_t)page[at + 3]) {
		int r = designator_rank(page + at);
		if (r > rank) {
			rank = r;
			best = page + at;
		}
	}
	if (best)
		designator_words(best, out, n);
}

void scsi_page80_serial(const uint8_t *page, size_t length, char *out, size_t n)
{
	out[0] = 0;
	if (length <= 4 || page[1] != 0x80)
		return;
	size_t told = be16(page + 2);
	scsi_text(page + 4, told < length - 4 ? told : length - 4, out, n);
}
