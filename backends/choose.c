/* choose.c - which backend is taken when the operator names none.
 *
 * Each backend says itself how well it fits a target, from what can be known without IO: whether the
 * host allows it and how the kernel would carry its IOs out. Where the one that fits best has nothing
 * to say for itself, the reason is what speaks against the others.
 */
#include "backends/backend.h"

#include <stdio.h>

const struct backend *backend_choose(const struct backend_open *how, char *why, size_t n)
{
	const struct backend *best = NULL;
	enum backend_fit fit = FIT_NONE;
	char reason[BACKEND_WHY] = "", against[BACKEND_WHY] = "";

	for (unsigned i = 0; backend_at(i); i++) {
		const struct backend *b = backend_at(i);
		char words[BACKEND_WHY] = "";
		enum backend_fit f = b->fit(how, words, sizeof(words));
		/* Of the best so far and this one, the lesser has something against it. */
		if (!against[0])
			snprintf(against, sizeof(against), "%s", f > fit ? reason : words);
		if (f > fit) {
			best = b;
			fit = f;
			snprintf(reason, sizeof(reason), "%s", words);
		}
	}
	snprintf(why, n, "%s", reason[0] ? reason : against);
	return best;
}
