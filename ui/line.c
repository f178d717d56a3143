/* line.c - see line.h. */
#include "line.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include "units.h"

#define SHARE         0.5 /* of the line, at most */
#define FEWEST        4   /* a quarter of the frames, before anything else changes */
#define FAR           4   /* times */
#define FRAMES_PASSED 2   /* of a stage: they still change what was there before */
#define FRAMES_FEW    4   /* that a stage's mean is taken of before it is judged */

/* --- How fast it is. --- */

double line_speed_of(double baud)
{
	return baud / 10;
}

double line_bits(unsigned long speed)
{
	static const struct {
		speed_t speed;
		double bits;
	} known[] = {
		{B50, 50},           {B75, 75},           {B110, 110},         {B134, 134.5},
		{B150, 150},         {B200, 200},         {B300, 300},         {B600, 600},
		{B1200, 1200},       {B1800, 1800},       {B2400, 2400},       {B4800, 4800},
		{B9600, 9600},       {B19200, 19200},     {B38400, 38400},     {B57600, 57600},
		{B115200, 115200},   {B230400, 230400},   {B460800, 460800},   {B500000, 500000},
		{B576000, 576000},   {B921600, 921600},   {B1000000, 1000000}, {B1152000, 1152000},
		{B1500000, 1500000}, {B2000000, 2000000}, {B2500000, 2500000}, {B3000000, 3000000},
		{B3500000, 3500000}, {B4000000, 4000000},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].speed == speed)
			return known[i].bits;
	return 0;
}

/* Only there do its bits go over a wire at that speed. */
static bool is_serial(const char *name)
{
	static const char *const prefix[] = {"ttyS", "ttyUSB", "ttyACM", "ttyAMA",
					     "ttyO", "ttymxc", "ttyMSM", "hvc"};

	if (!name || strncmp(name, "/dev/", 5) != 0)
		return false;
	for (size_t i = 0; i < sizeof(prefix) / sizeof(prefix[0]); i++)
		if (strncmp(name + 5, prefix[i], strlen(prefix[i])) == 0)
			return true;
	return false;
}

double line_speed(int fd)
{
	struct termios t;
	char name[128];

	if (ttyname_r(fd, name, sizeof(name)) || !is_serial(name) || tcgetattr(fd, &t))
		return 0;
	return line_speed_of(line_bits(cfgetospeed(&t)));
}

/* --- What it lets us draw. --- */

static double allowed(const struct line *l)
{
	return l->bytes_s * SHARE;
}

double line_rate(const struct line *l)
{
	if (!(l->bytes_s > 0) || !l->frames)
		return l->fps;
	for (double fps = l->fps; fps > l->fps / FEWEST; fps /= 2)
		if (l->frame * fps <= allowed(l))
			return fps;
	return fmin(l->fps / FEWEST, allowed(l) / fmax(l->frame, 1));
}

static void pay(struct line *l, uint64_t now_ns)
{
	if (l->paid_ns && now_ns > l->paid_ns)
		l->owed -= allowed(l) * (double)(now_ns - l->paid_ns) / 1e9;
	l->owed = fmax(l->owed, 0);
	l->paid_ns = now_ns;
}

bool line_ready(struct line *l, uint64_t now_ns)
{
	if (!(l->bytes_s > 0))
		return true;
	pay(l, now_ns);
	/* The next one's bytes follow what is owed: together no more than the pause between two frames carries. */
	return l->owed <= fmax(0, allowed(l) / line_rate(l) - l->frame) + 1;
}

/* Even a quarter of the frames takes more than there is. One is enough to see that it is far more. */
static bool too_much(const struct line *l)
{
	double takes = l->frame * l->fps / FEWEST;

	return takes > allowed(l) && (l->frames >= FRAMES_FEW || takes > FAR * allowed(l));
}

bool line_drew(struct line *l, uint64_t now_ns, double bytes, bool regular)
{
	if (!(l->bytes_s > 0))
		return false;
	pay(l, now_ns);
	/* What was asked for may have the whole line. */
	l->owed += regular ? bytes : bytes * SHARE;
	if (!regular)
		return false;
	if (l->passed < FRAMES_PASSED) {
		l->passed++;
		return false;
	}
	if (l->frames < 2 * FRAMES_FEW)
		l->frames++;
	l->frame += (bytes - l->frame) / l->frames;
	if (!too_much(l) || l->stage == LINE_IN_TURN)
		return false;
	l->stage++;
	l->frames = l->passed = 0;
	l->frame = 0;
	return true;
}

char *line_words(char *out, unsigned long n, const struct line *l)
{
	double rate = line_rate(l);

	snprintf(out, n, "slow line (%.0f B/s): %.2g frame%s a second%s%s", l->bytes_s, rate,
		 rate == 1 ? "" : "s", l->stage >= LINE_SWEEP ? ", the charts sweep" : "",
		 l->stage >= LINE_IN_TURN ? ", panes in turn" : "");
	return out;
}
