/* facts.h - what is set on this host that a run may depend on: MTUs, pause, offloads, sysctls, queues.
 *
 * A fact is a few words and a value: "eth2 mtu" is "1500", "sda scheduler" is "none", "net.core.rmem_max"
 * is "212992". Its words are those that a mark or a list shows. What a driver does not support, or may not
 * be read, has the reason as its value, in brackets: "(not supported)".
 */
#ifndef LUNSCOPE_FACTS_H
#define LUNSCOPE_FACTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define FACT_WORDS 80
#define FACT_VALUE 128

struct fact {
	char words[FACT_WORDS];
	char value[FACT_VALUE];
};

/* In the order of their words; zeroed = none. */
struct facts {
	struct fact *fact;
	size_t count, room;
	bool short_of_memory; /* some are missing */
};

void facts_clear(struct facts *f); /* keeps the memory */
void facts_free(struct facts *f);
/* Adds it, or gives it another value; blanks in the value become one, those around it go. What a terminal
 * would obey, which a NIC's name may have, becomes '?' in both; so it does in words that are looked for. */
void facts_set(struct facts *f, const char *words, const char *value);
void facts_setf(struct facts *f, const char *words, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Of one thing: "eth2" and "mtu" are "eth2 mtu". */
void facts_set_of(struct facts *f, const char *who, const char *what, const char *value);
/* And back: "eth2" into who[n], and returns "mtu"; NULL where words have no such beginning, or it is longer. */
const char *fact_split(const char *words, char *who, size_t n);
void facts_remove(struct facts *f, const char *words);
/* NULL: it is not there. */
const char *facts_get(const struct facts *f, const char *words);
void facts_copy(struct facts *to, const struct facts *from);

/* Calls changed for each that is not the same; from or to is NULL where one side does not have it. Returns
 * how many there were. changed may be NULL. */
typedef void facts_changed_fn(const char *words, const char *from, const char *to, void *arg);
unsigned facts_compare(const struct facts *before, const struct facts *now,
		       facts_changed_fn *changed, void *arg);
/* "eth2 mtu 1500 > 9000", as in a mark. Returns out. */
char *facts_change_words(char *out, size_t n, const char *words, const char *from, const char *to);

/* Adds "eth2 mtu": "1500" to object. */
void fact_json(json_t *object, const struct fact *f);
/* {"eth2 mtu": "1500", ...}, and back. */
json_t *facts_json(const struct facts *f);
void facts_scan(struct facts *f, const json_t *object);

#endif
