/* sync.c - see sync.h. */
#include "sync.h"

#include <string.h>

bool sync_askable(const char *term)
{
	static const char *const family[] = {"xterm",     "tmux",    "screen",  "foot",    "kitty",
					     "alacritty", "wezterm", "ghostty", "konsole", "vte",
					     "gnome",     "contour", "rio",     "mintty",  "iterm"};

	for (size_t i = 0; term && i < sizeof(family) / sizeof(family[0]); i++)
		if (strncmp(term, family[i], strlen(family[i])) == 0)
			return true;
	return false;
}
