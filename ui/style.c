/* style.c - names of styles. */
#include "style.h"

const char *style_name(enum style s)
{
	static const char *const name[ST_COUNT] = {
#define X(id, text, help) [id] = text,
		STYLE_TABLE(X)
#undef X
	};

	return s < ST_COUNT ? name[s] : "?";
}
