/* cmd_info.c - `lunscope backends` and `lunscope targets`: what there is to choose from. */
#include <stdio.h>
#include <stdlib.h>

#include "backends/backend.h"
#include "cmd.h"
#include "devices.h"

int cmd_backends(const struct options *o)
{
	char why[BACKEND_WHY];

	(void)o;
	for (unsigned i = 0; backend_at(i); i++) {
		const struct backend *b = backend_at(i);
		printf("%-8s  %s\n", b->name, b->summary);
		if (b->max_outstanding)
			printf("%-8s  outstanding at most %u per worker: %s\n", "",
			       b->max_outstanding, b->depth_reason);
		why[0] = 0;
		if (b->fit(NULL, why, sizeof(why)) < FIT_GOOD && why[0])
			printf("%-8s  %s\n", "", why);
	}
	const struct backend *best = backend_choose(NULL, why, sizeof(why));
	printf("%-8s  the default: the fastest for the target, by what the kernel tells\n",
	       BACKEND_AUTO);
	if (best)
		printf("%-8s  here %s for direct IO%s%s\n", "", best->name, why[0] ? ": " : "",
		       why);
	return EXIT_FINE;
}

int cmd_targets(const struct options *o)
{
	struct error e;
	struct device *list;

	(void)o;
	int n = devices_list(&guard_host, true, true, &list, &e);
	if (n < 0)
		return cmd_fail(EXIT_USAGE, &e);
	if (n)
		printf("%-16s %10s  %-8s %-28s %s\n", "device", "size", "bus", "model",
		       "against writing");
	else
		printf("no block device with a capacity was found; a file or null: will do\n");
	for (int i = 0; i < n; i++) {
		char size[32];
		printf("%-16s %10s  %-8s %-28s %s\n", list[i].path,
		       units_size(size, sizeof(size), list[i].size), list[i].transport,
		       list[i].model, list[i].against);
	}
	free(list);
	return EXIT_FINE;
}
