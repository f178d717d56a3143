/* fill.c - what filling the buffers of writes costs: for each way that this processor has and each kind of
 * data, ns per block; then as a share of the CPU time of a whole write through the engine.
 *
 *     fill [FILE]
 *
 * Prints Markdown. With FILE, which must not exist, writes to it (64 MiB, O_DIRECT) are measured beside
 * null:; it is removed afterwards. Each figure is the least of several tries: what else runs on the machine
 * can only add to it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "data.h"
#include "engine.h"
#include "target.h"
#include "units.h"

#define TRIES      5
#define BLOCKS     8u          /* buffers that take turns, as with 8 outstanding */
#define TRY_BYTES  (64u << 20) /* filled in one try */
#define ENGINE_NS  (500 * NS_PER_MS)
#define FILE_BYTES (64 * MIB)

static const struct {
	const char *name;
	struct data data;
} kinds[] = {
	{"random", {.kind = DATA_RANDOM}},
	{"random, compress 50 %", {.kind = DATA_RANDOM, .compress = 50}},
	{"random, dedupe 50 %", {.kind = DATA_RANDOM, .dedupe = 50}},
	{"random, both", {.kind = DATA_RANDOM, .compress = 50, .dedupe = 50}},
	{"zero", {.kind = DATA_WORD, .word = 0, .word_bytes = 1}},
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static void stop_with(const char *words)
{
	fprintf(stderr, "fill: %s\n", words);
	exit(1);
}

/* --- The filler alone. --- */

static double fill_ns(struct data_filler *f, uint8_t *buffer, uint32_t block)
{
	uint32_t rounds = TRY_BYTES / block / BLOCKS;
	double least = 0;

	for (int i = 0; i < TRIES; i++) {
		uint64_t start = clock_ns();
		for (uint32_t r = 0; r < rounds; r++)
			for (uint32_t b = 0; b < BLOCKS; b++)
				data_fill(f, buffer + (size_t)b * block, block);
		double ns = (double)(clock_ns() - start) / rounds / BLOCKS;
		if (i == 0 || ns < least)
			least = ns;
	}
	return least;
}

static void fillers(void)
{
	static const uint32_t block[] = {4096, 65536, 1048576};
	struct data_filler *f = aligned_alloc(64, sizeof(*f));
	uint8_t *buffer = aligned_alloc(4096, (size_t)BLOCKS << 20);

	if (!f || !buffer)
		stop_with("out of memory");
	memset(buffer, 1, (size_t)BLOCKS << 20);
	printf("| filling, ns per block | with | 4 KiB | 64 KiB | 1 MiB |\n");
	printf("| --- | --- | ---: | ---: | ---: |\n");
	for (unsigned k = 0; k < data_kernel_count; k++)
		for (size_t i = 0; i < KINDS; i++) {
			if (!data_kernels[k].runs())
				continue;
			data_filler_init(f, 1, 0);
			data_filler_take_up(f, &kinds[i].data);
			f->write = data_kernels[k].write;
			printf("| %s | %s |", kinds[i].name, data_kernels[k].name);
			for (int b = 0; b < 3; b++)
				printf(" %.0f |", fill_ns(f, buffer, block[b]));
			printf("\n");
		}
	free(buffer);
	free(f);
}

/* --- The whole engine. --- */

static uint64_t cpu_ns(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return ((uint64_t)u.ru_utime.tv_sec + (uint64_t)u.ru_stime.tv_sec) * NS_PER_SEC +
	       ((uint64_t)u.ru_utime.tv_usec + (uint64_t)u.ru_stime.tv_usec) * NS_PER_US;
}

/* CPU time per IO while the engine does what w says. */
static double engine_ns(const struct target *t, const struct workload *w)
{
	struct engine_counters *a = calloc(2, sizeof(*a)), *b = a + 1;
	struct engine *engine;
	struct error e;
	double least = 0;

	if (!a || engine_create(&engine, t, w, &e))
		stop_with(a ? e.text : "out of memory");
	for (int i = 0; i < TRIES; i++) {
		engine_collect(engine, a);
		uint64_t start = cpu_ns();
		nanosleep(&(struct timespec){0, (long)ENGINE_NS}, NULL);
		engine_collect(engine, b);
		double ios = (double)(b->op[IO_READ].ios + b->op[IO_WRITE].ios -
				      a->op[IO_READ].ios - a->op[IO_WRITE].ios);
		double ns = (double)(cpu_ns() - start) / ios;
		if (ios > 0 && (least == 0 || ns < least))
			least = ns;
	}
	engine_stop(engine, 10 * NS_PER_SEC);
	engine_destroy(engine);
	free(a);
	return least;
}

static void engine_on(const char *spec, uint64_t create, const char *name)
{
	struct target_options how = {.create_size = create};
	struct workload w = workload_default();
	struct target t;
	struct error e;

	if (target_open(&t, spec, &how, &e))
		stop_with(e.text);
	w.outstanding = 32;
	printf("| %s | reads | %.0f |\n", name, engine_ns(&t, &w));
	w.read_pct = 0;
	for (size_t i = 0; i < KINDS; i++) {
		w.data = kinds[i].data;
		printf("| %s | writes: %s | %.0f |\n", name, kinds[i].name, engine_ns(&t, &w));
	}
	target_close(&t);
}

int main(int argc, char **argv)
{
	if (argc > 2) {
		fprintf(stderr, "usage: fill [FILE]\n");
		return 2;
	}
	fillers();
	printf("\n| 4 KiB, 32 outstanding | IO | CPU ns per IO |\n| --- | --- | ---: |\n");
	engine_on("null:", 0, "null");
	if (argc == 2) {
		engine_on(argv[1], FILE_BYTES, "file");
		unlink(argv[1]);
	}
	return 0;
}
