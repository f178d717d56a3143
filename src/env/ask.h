/* ask.h - a question to the kernel over netlink, and its answer. */
#ifndef LUNSCOPE_ENV_ASK_H
#define LUNSCOPE_ENV_ASK_H

#include <libmnl/libmnl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "error.h"

#define ASK_BYTES  1024 /* enough for any question here */
#define ASK_REASON 160

struct ask {
	struct mnl_socket *socket; /* NULL: closed */
	uint32_t seq;
};

/* One of an answer's messages, which lies wholly in what was received. */
typedef void ask_answer(const struct nlmsghdr *h, void *arg);

/* bus: NETLINK_ROUTE, NETLINK_GENERIC. 0, or -errno with words. */
int ask_open(struct ask *a, int bus, struct error *e);
void ask_close(struct ask *a);
/* Asks and takes in the whole answer; answer may be NULL. flags beside NLM_F_REQUEST: 0 or NLM_F_DUMP.
 * 0, or -errno and the kernel's own words in reason ("" where it gives none; NULL if nobody asks). */
int ask_kernel(struct ask *a, struct nlmsghdr *question, uint16_t flags, ask_answer *answer,
	       void *arg, char *reason);

/* Calls answer for each message of what was received; false when it does not hold together. done gets
 * whether it was the answer's end with this number, result what that says. */
bool ask_parse(const void *received, size_t n, uint32_t seq, ask_answer *answer, void *arg,
	       bool *done, int *result, char *reason);

/* An attribute's value where it has that form; false, and *v as it was, where it has not. */
bool ask_u8(const struct nlattr *a, uint8_t *v);
bool ask_u16(const struct nlattr *a, uint16_t *v);
bool ask_u32(const struct nlattr *a, uint32_t *v);
bool ask_u64(const struct nlattr *a, uint64_t *v);
/* With or without a 0 at its end; cut to fit. */
void ask_text(const struct nlattr *a, char *out, size_t n);

#endif
