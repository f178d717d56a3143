/* registry.c - every IO backend of this build, by name. The only place that lists them. */
#include "config.h"

#include "backends/backend.h"

#include <stddef.h>
#include <string.h>

extern const struct backend backend_null, backend_sync, backend_libaio, backend_uring,
	backend_iscsi;

static const struct backend *const backends[] = {
#ifdef HAVE_URING
	&backend_uring,
#endif
	&backend_libaio,
	&backend_sync,
	&backend_null,
#ifdef HAVE_ISCSI
	&backend_iscsi,
#endif
};

const struct backend *backend_at(unsigned i)
{
	return i < sizeof(backends) / sizeof(*backends) ? backends[i] : NULL;
}

const struct backend *backend_find(const char *name)
{
	for (unsigned i = 0; backend_at(i); i++)
		if (strcmp(backend_at(i)->name, name) == 0)
			return backend_at(i);
	return NULL;
}
