/* view-fixture.c - see view-fixture.h. */
#include <string.h>
#include "tests/hist-add.h"
#include "view-fixture.h"

#define START_NS (5000 * NS_PER_SEC)
#define NOW_NS   (START_NS + 761 * NS_PER_SEC)
/* 2026-08-24 12:04:31 UTC */
#define WALL_NS (1787573071ull * NS_PER_SEC)

/* A small linear congruential sequence (Numerical Recipes' constants), 0..1. */
static double noise(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return (double)(*state >> 8) / (double)(1u << 24);
}

/* One direction's share of a tick, its latencies into h where there is one. */
static void fill_op(struct op_sample *s, uint64_t ios, double mean_ns, struct hist *h,
		    uint32_t *state)
{
	*s = (struct op_sample){.lat_min = UINT64_MAX};
	for (uint64_t i = 0; i < ios; i++) {
		/* most near the mean, a tail up to ten times that */
		double x = noise(state), tail = noise(state);
		uint64_t ns = (uint64_t)(mean_ns * (0.35 + 0.9 * x +
						    (tail > 0.97 ? 9 * (tail - 0.97) / 0.03 : 0)));

		s->ios++;
		s->bytes += 4096;
		s->lat_sum += ns;
		s->lat_min = ns < s->lat_min ? ns : s->lat_min;
		s->lat_max = ns > s->lat_max ? ns : s->lat_max;
		if (h)
			hist_add(h, ns);
	}
}

static void fill_ticks(struct fixture *f)
{
	uint32_t state = 7;

	for (int i = 0; i < FIXTURE_TICKS; i++) {
		struct sample *s = &f->tick[i];
		bool slow = i >= 240 && i < 420;
		bool recent = i >= FIXTURE_TICKS - 50;
		double iops = (slow ? 96000 : 142900) * (0.9 + 0.2 * noise(&state));
		uint64_t reads = (uint64_t)(iops * 0.07), writes = (uint64_t)(iops * 0.03);

		memset(s, 0, sizeof(*s));
		s->t_ns = NOW_NS - (uint64_t)(FIXTURE_TICKS - 1 - i) * TICK_NS;
		s->dt_ns = TICK_NS;
		fill_op(&s->op[IO_READ], reads, slow ? 2.5e6 : 1.69e6,
			recent ? &f->v.snap.hist[IO_READ] : NULL, &state);
		fill_op(&s->op[IO_WRITE], writes, slow ? 2.9e6 : 2.02e6,
			recent ? &f->v.snap.hist[IO_WRITE] : NULL, &state);
		s->depth_requested = 256;
		s->inflight = 256;
		s->generation = 3;
	}
}

static void add_mark(struct fixture *f, enum mark_kind kind, char letter, uint64_t ago_s,
		     const char *text)
{
	struct mark *m = &f->mark[f->v.mark_count++];

	*m = (struct mark){.id = (uint32_t)f->v.mark_count,
			   .kind = kind,
			   .letter = letter,
			   .t_ns = NOW_NS - ago_s * NS_PER_SEC,
			   .wall = WALL_NS - ago_s * NS_PER_SEC};
	snprintf(m->text, sizeof(m->text), "%s", text);
}

static void fill_second(struct snapshot *s, const struct fixture *f)
{
	struct sample *sum = &s->second;

	for (int op = 0; op < IO_OPS; op++)
		sum->op[op].lat_min = UINT64_MAX;
	for (int i = FIXTURE_TICKS - 10; i < FIXTURE_TICKS; i++) {
		sum->dt_ns += f->tick[i].dt_ns;
		for (int op = 0; op < IO_OPS; op++) {
			const struct op_sample *from = &f->tick[i].op[op];
			struct op_sample *to = &sum->op[op];

			to->ios += from->ios;
			to->bytes += from->bytes;
			to->lat_sum += from->lat_sum;
			to->lat_min = from->lat_min < to->lat_min ? from->lat_min : to->lat_min;
			to->lat_max = from->lat_max > to->lat_max ? from->lat_max : to->lat_max;
		}
	}
	sum->t_ns = NOW_NS;
	sum->p99 = 4600000;
	sum->depth_requested = 256;
	s->cpu = (struct cpu_sample){.valid = true,
				     .cpus = 16,
				     .user = 640000000,
				     .system = 1760000000,
				     .irq = 160000000,
				     .softirq = 1120000000,
				     .iowait = 320000000,
				     .steal = 0,
				     .idle = 12000000000,
				     .hot_cpu = 3,
				     .hot_share = 0.88f,
				     .ctx_switches = 91200,
				     .interrupts = 64100,
				     .self_ns = 830000000,
				     .ui_ns = 4000000};
	static const uint8_t busy[16] = {21, 34, 8,  88, 17, 6, 9,  24,
					 31, 5,  19, 61, 11, 4, 22, 8}; /* 368: 23 % of 16 */
	s->cores.count = 16;
	memcpy(s->cores.busy, busy, sizeof(busy));
}

static void fill_target(struct fixture *f)
{
	struct target *t = &f->target;

	f->backend = (struct backend){.name = "libaio", .summary = "Linux native asynchronous IO"};
	*t = (struct target){.kind = TARGET_BLOCK,
			     .spec = "/dev/sdb",
			     .path = "/dev/sdb",
			     .name = "sdb",
			     .model = "LIO-ORG tgt0 (naa.60014055f0a1)",
			     .size = 2000398934016,
			     .logical_block = 512,
			     .physical_block = 4096,
			     .fd = -1,
			     .may_write = true,
			     .direct = true,
			     .write_start = 0,
			     .write_length = GIB,
			     .backend = &f->backend};
}

static void fill_view(struct fixture *f)
{
	struct view *v = &f->v;
	struct snapshot *s = &v->snap;

	s->seq = 1;
	s->t_ns = NOW_NS;
	s->wall = WALL_NS;
	s->start_ns = START_NS;
	s->running = s->settled = true;
	s->generation = 3;
	s->workload = (struct workload){.workers = 8,
					.outstanding = 32,
					.block_size = 4096,
					.read_pct = 70,
					.random_pct = 100};
	s->run_id = 46;
	s->device_depth = -1;
	snprintf(s->store_path, sizeof(s->store_path), "/var/lib/lunscope/runs.db");
	for (int i = 0; i < HISTS; i++)
		hist_clear(&s->hist[i]);
	v->target = &f->target;
	v->chart = f->tick;
	v->chart_span_ns = 60 * NS_PER_SEC;
	v->now_ns = NOW_NS;
	v->marks = f->mark;
	v->focus.knob = KNOB_OUTSTANDING;
	v->version = "0.1";
	snprintf(v->host, sizeof(v->host), "r740-07");
	s->depth = (struct lamp){LAMP_OFF, ""};
	s->little = (struct lamp){LAMP_OFF, ""};
}

void fixture_level(struct fixture *f, enum glyph_level level)
{
	f->v.level = level;
	f->v.g = &glyph_table[level];
}

void fixture_empty(struct fixture *f, enum glyph_level level)
{
	memset(f, 0, sizeof(*f));
	fill_target(f);
	fill_view(f);
	f->v.snap.start_ns = NOW_NS;
	for (int op = 0; op < IO_OPS; op++)
		f->v.snap.second.op[op].lat_min = UINT64_MAX;
	fixture_level(f, level);
}

void fixture_make(struct fixture *f, enum glyph_level level)
{
	struct snapshot *s = &f->v.snap;

	fixture_empty(f, level);
	s->start_ns = START_NS;
	fill_ticks(f);
	f->v.chart_count = FIXTURE_TICKS;
	fill_second(s, f);
	add_mark(f, MARK_START, 0, 761, "run start: 8 × 32, 4 KiB, 70 % read, random");
	add_mark(f, MARK_NOTE, 'a', 36, "MTU 9000 → 1500 on ens1f0");
	add_mark(f, MARK_EVENT, 0, 34, "2 IO errors: Input/output error");
	add_mark(f, MARK_NOTE, 'b', 18, "MTU 1500 → 9000 on ens1f0");
	add_mark(f, MARK_KNOB, 'c', 6, "outstanding 16 → 32, block 64 KiB → 4 KiB");
	s->errors[5] = 2;
	s->oldest_ns = 3200000;
	s->device_depth = 6.7;
	s->depth = (struct lamp){LAMP_GOOD, "depth 255.8 of 256"};
	s->little = (struct lamp){LAMP_GOOD, "IOPS x latency = 0.99 of depth"};
	s->steady = (struct lamp){LAMP_GOOD, "steady: IOPS within 0.8 % for 50 s"};
	f->v.frame_bytes = 812;
	f->v.ui_cpu_share = 0.004;
}

void fixture_screen(struct canvas *c, const struct fixture *f, int rows, int cols,
		    enum pane_id zoom)
{
	struct layout l = layout_compute(rows, cols, zoom, pane_plan_usual.hidden,
					 f->v.snap.sessions.paths, f->v.snap.net.nics, false);

	if (canvas_resize(c, rows, cols) < 0)
		return;
	header_draw(c, l.header, &f->v);
	knobs_draw(c, l.knobs, &f->v);
	answer_draw(c, l.answer, &f->v);
	for (int p = 0; p < PANE_COUNT; p++)
		if (l.pane[p].rows)
			panes[p].draw(c, l.pane[p], &f->v);
}
