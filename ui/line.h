/* line.h - a screen at the other end of a slow line: how often it is drawn, and how much of it.
 *
 * A serial console carries a tenth of its bits a second in characters, of which the screen takes half at most:
 * so keys get through, and are answered at once. What a frame costs is measured, not known: first there are
 * fewer frames, then the charts sweep (a new column changes two, not all of them), then the panes beside them
 * are renewed in turn.
 */
#ifndef LUNSCOPE_LINE_H
#define LUNSCOPE_LINE_H

#include <stdbool.h>
#include <stdint.h>

enum line_stage { LINE_ALL, LINE_SWEEP, LINE_IN_TURN };

struct line {
	double bytes_s;	       /* what the line carries; 0: no limit is known */
	double fps;	       /* frames a second that are wanted */
	enum line_stage stage;
	double frame;	       /* mean bytes of a frame in this stage; 0: none yet */
	unsigned passed;       /* frames of it that tell nothing yet */
	unsigned frames;       /* of which that is the mean, up to a few */
	double owed;	       /* bytes that were sent and that the screen's half has not carried yet */
	uint64_t paid_ns;      /* up to when it has */
};

/* Bytes a second of the terminal behind fd: of a serial line a tenth of its bits, as each character has a start and
 * a stop bit; 0 where its speed means nothing (a pseudo-terminal, a console). */
double line_speed(int fd);
/* The bits per second of one of termios' speeds (B9600, a speed_t); 0: of none. */
double line_bits(unsigned long speed);
/* The bits per second that somebody says it has. */
double line_speed_of(double baud);

/* Whether a frame that the clock asks for may be drawn now. */
bool line_ready(struct line *l, uint64_t now_ns);
/* A frame of so many bytes was drawn. regular: it was the clock's, and so tells what the next will take. True when
 * another stage begins. */
bool line_drew(struct line *l, uint64_t now_ns, double bytes, bool regular);
/* How many frames there are a second. */
double line_rate(const struct line *l);
/* "slow line (960 B/s): 1 frame a second, the charts sweep, panes in turn". Returns out. */
char *line_words(char *out, unsigned long n, const struct line *l);

#endif
