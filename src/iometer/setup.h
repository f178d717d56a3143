/* setup.h - a test set-up as Iometer has it: what an .icf file holds, and a series is made from.
 *
 * Terms and bounds are Iometer's (its manual and the files of 1998 to 1.1.0). Everything is a plain value
 * or an array that belongs to the set-up; names are UTF-8, cut where they are longer than their field.
 */
#ifndef LUNSCOPE_IOMETER_SETUP_H
#define LUNSCOPE_IOMETER_SETUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "error.h"
#include "workload.h"

#define IOMETER_NAME   128 /* bytes of a name, with its NUL */
#define IOMETER_TEXT   512 /* bytes of a description */
#define IOMETER_METERS 6

/* The largest request that Iometer knows: one byte less than 1 GiB. */
#define IOMETER_SIZE_MAX ((1u << 30) - 1)
/* Workers to spawn: one per CPU. */
#define IOMETER_PER_CPU UINT32_MAX

/* Which workers get a specification that none of theirs names. The numbers stand in results.csv. */
enum iometer_assign {
	IOMETER_ASSIGN_NONE,
	IOMETER_ASSIGN_ALL,
	IOMETER_ASSIGN_DISK,
	IOMETER_ASSIGN_NET
};

/* One line of an access specification: the line as it is run, and the reply (bytes, 0 = none), which the
 * engine has not. */
struct iometer_line {
	struct access_line line; /* align 0: at sectors, other than in a workload of its own */
	uint32_t reply;
};

struct iometer_spec {
	char name[IOMETER_NAME];
	enum iometer_assign assign;
	uint32_t count; /* 0: "Idle", no IO at all */
	struct iometer_line line[ACCESS_LINES_MAX];
	unsigned at; /* the line of the file that it begins in; 0: not from a file */
};

/* How a quantity grows from one test to the next. */
struct iometer_step {
	uint32_t start, step;
	uint32_t end; /* of outstanding IOs only, else 0 */
	bool exponential;
};

/* The numbers stand in results.csv and in old .icf files. */
enum iometer_test {
	IOMETER_NORMAL,
	IOMETER_CYCLE_TARGETS,
	IOMETER_CYCLE_WORKERS,
	IOMETER_INCREMENT_TARGETS_PARALLEL,
	IOMETER_INCREMENT_TARGETS_SERIAL,
	IOMETER_CYCLE_WORKERS_AND_TARGETS,
	IOMETER_CYCLE_OUTSTANDING,
	IOMETER_CYCLE_OUTSTANDING_AND_TARGETS,
	IOMETER_TESTS
};

enum iometer_record {
	IOMETER_RECORD_ALL,
	IOMETER_RECORD_NO_TARGETS,
	IOMETER_RECORD_NO_WORKERS,
	IOMETER_RECORD_NO_MANAGERS,
	IOMETER_RECORD_NONE
};

enum iometer_kind { IOMETER_DISK, IOMETER_TCP, IOMETER_VI };

struct iometer_meter {
	char statistic[IOMETER_NAME]; /* Iometer's menu text; "" = its default */
	char manager[IOMETER_NAME], worker[IOMETER_NAME]; /* "" = all managers, all workers */
	uint32_t manager_id, worker_id;
};

struct iometer_target {
	char name[IOMETER_NAME];
	enum iometer_kind kind;
	uint32_t manager_id; /* of a network target: whose interface it is */
	char manager[IOMETER_NAME];
	unsigned at;
};

struct iometer_worker {
	char name[IOMETER_NAME];
	enum iometer_kind kind;
	uint32_t outstanding;  /* per target */
	bool test_connections; /* the test connection rate, which no target of ours has */
	uint32_t transactions; /* per connection */
	bool fixed_seed;
	uint64_t seed;
	uint64_t max_sectors, start_sector; /* of 512 bytes; 0 = to the end, from the beginning */
	uint32_t pattern;                   /* 0 repeating bytes, 1 pseudo random, 2 full random */
	char interface[IOMETER_NAME];       /* of a network worker: where it sends from */
	uint32_t vi_outstanding;            /* of a VI worker */
	size_t specs; /* names of the specifications that it runs in turn; 0 = by default */
	char (*spec)[IOMETER_NAME];
	size_t targets;
	struct iometer_target *target;
	unsigned at;
};

struct iometer_manager {
	uint32_t id;
	char name[IOMETER_NAME], address[IOMETER_NAME];
	size_t workers;
	struct iometer_worker *worker;
	unsigned at;
};

struct iometer_setup {
	char version[32]; /* as the file has it: "1.1.0", "2006.07.27" */
	char description[IOMETER_TEXT];
	uint64_t run_s; /* 0 = until it is stopped */
	uint64_t ramp_s;
	uint32_t disk_workers; /* to spawn where a manager is new, or IOMETER_PER_CPU */
	uint32_t net_workers;  /* likewise */
	enum iometer_record record;
	struct iometer_step worker_step, target_step, depth_step;
	enum iometer_test test;
	bool record_last;  /* instantaneous results as well (1.1.0) */
	uint32_t update_s; /* how often meters are renewed; 0 = never (endless) */
	bool whole_test; /* meters show all since the start, else what came since the last update */
	struct iometer_meter meter[IOMETER_METERS];
	size_t specs;
	struct iometer_spec *spec;
	size_t managers;
	struct iometer_manager *manager;
};

/* Iometer's own defaults: run until stopped, one disk worker per CPU, no specifications, no managers. */
void iometer_setup_init(struct iometer_setup *s);
void iometer_setup_free(struct iometer_setup *s);

/* Room for one more, zeroed (a worker with Iometer's defaults); NULL without memory. Pointers into the same
 * array are void afterwards. */
struct iometer_spec *iometer_add_spec(struct iometer_setup *s);
struct iometer_manager *iometer_add_manager(struct iometer_setup *s);
struct iometer_worker *iometer_add_worker(struct iometer_manager *m);
struct iometer_target *iometer_add_target(struct iometer_worker *w);
/* 0 or -ENOMEM. */
int iometer_add_spec_name(struct iometer_worker *w, const char *name);

/* The specification of this name (of a file's: up to the first comma), whatever its case, as Iometer looks it
 * up; NULL if there is none. */
const struct iometer_spec *iometer_find_spec(const struct iometer_setup *s, const char *name);

/* "NORMAL", ..., as .icf has them; and back, -1 if it is none. */
const char *iometer_test_word(enum iometer_test test);
int iometer_test_of(const char *word);

#endif
