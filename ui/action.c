/* action.c - finds the action of a key. The table itself is in action.h; nothing else in the screen
 * knows which key does what.
 */
#include <string.h>
#include "action.h"

const struct action_info actions[ACT_COUNT] = {[ACT_NONE] = {0, "", "", ""},
#define X(id, fkey, letters, label, help) [id] = {fkey, letters, label, help},
					       ACTION_TABLE(X)
#undef X
};

enum action action_of_key(int key)
{
	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++) {
		if (actions[a].fkey && key == ACTION_FKEY(actions[a].fkey))
			return (enum action)a;
		if (key > 0 && key < 128 && strchr(actions[a].letters, key))
			return (enum action)a;
	}
	return ACT_NONE;
}
