/* font.c - asks a kernel console for its font's map (GIO_UNIMAP, ioctl_console(2)), and looks things up in it.
 *
 * The map says which code points lead to a glyph, not what that looks like: Debian's fonts map ● and •
 * to one dot. So nothing may be told by two symbols that a font might draw alike.
 */
#include <errno.h>
#include <linux/kd.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include "font.h"

static int by_point(const void *a, const void *b)
{
	return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b;
}

/* Asked with no room, the kernel says ENOMEM and how much it needs. */
static int read_pairs(int fd, struct unimapdesc *d)
{
	*d = (struct unimapdesc){0, NULL};
	if (ioctl(fd, GIO_UNIMAP, d) == 0)
		return 0;
	if (errno != ENOMEM || d->entry_ct == 0)
		return -errno;
	d->entries = calloc(d->entry_ct, sizeof(*d->entries));
	if (!d->entries)
		return -ENOMEM;
	if (ioctl(fd, GIO_UNIMAP, d) < 0) {
		int rc = -errno;

		free(d->entries);
		return rc;
	}
	return 0;
}

int font_read(struct font *f, int fd)
{
	struct unimapdesc d;
	int rc = read_pairs(fd, &d);

	*f = (struct font){NULL, 0};
	if (rc || d.entry_ct == 0)
		return rc;
	f->point = calloc(d.entry_ct, sizeof(*f->point));
	if (f->point) {
		for (size_t i = 0; i < d.entry_ct; i++)
			f->point[i] = d.entries[i].unicode;
		f->count = d.entry_ct;
		qsort(f->point, f->count, sizeof(*f->point), by_point);
	}
	free(d.entries);
	return f->point ? 0 : -ENOMEM;
}

void font_free(struct font *f)
{
	free(f->point);
	*f = (struct font){NULL, 0};
}

bool font_has(const struct font *f, uint32_t ch)
{
	uint16_t key = (uint16_t)ch;

	if (ch < 0x80)
		return true;
	return ch <= UINT16_MAX && f->count > 0 &&
	       bsearch(&key, f->point, f->count, sizeof(key), by_point);
}

char font_stand_in(uint32_t ch)
{
	static const struct {
		uint16_t ch;
		char ascii;
	} table[] = {
		{0x00b0, 'o'}, {0x00b1, '~'}, {0x00b5, 'u'}, {0x00b7, '.'}, {0x00d7, 'x'},
		{0x0394, 'd'}, {0x03c3, 's'}, {0x2013, '-'}, {0x2022, '*'}, {0x2026, '.'},
		{0x2190, '<'}, {0x2191, '^'}, {0x2192, '>'}, {0x2193, 'v'}, {0x2248, '~'},
		{0x2264, '<'}, {0x2265, '>'}, {0x25cb, 'o'}, {0x25cf, '*'},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].ch == ch)
			return table[i].ascii;
	return 0;
}

void font_fit(const struct font *f, struct canvas *c)
{
	if (f->count == 0)
		return;
	for (size_t i = 0; i < (size_t)c->rows * (size_t)c->cols; i++) {
		char ascii = font_has(f, c->cell[i].ch) ? 0 : font_stand_in(c->cell[i].ch);

		if (ascii)
			c->cell[i].ch = (uint32_t)ascii;
	}
}
