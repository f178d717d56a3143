/* gnuplot.h - a chart from gnuplot as a part of the page.
 *
 * gnuplot (5.4 and later) draws SVG. What the page takes of it is only the drawing: no title and no id of
 * gnuplot's, nothing that refers to anything, and colours by the page's names, so that it follows the page's
 * light and dark. A script names colour N as "#00000N"; the page has it as var(--cN).
 */
#ifndef LUNSCOPE_REPORT_GNUPLOT_H
#define LUNSCOPE_REPORT_GNUPLOT_H

#include "error.h"

/* Runs the script, which sets no terminal, for a chart of so many points. The drawing without its <svg> tag,
 * malloc'd; NULL with words: -ENOENT, there is no gnuplot. */
int gnuplot_draw(char **drawing, const char *script, unsigned width, unsigned height,
		 struct error *e);
/* Whether there is one, before anything else is done. 0, or -ENOENT with words that say what to install. */
int gnuplot_check(struct error *e);

#endif
