/* path_mtu.h - connections that were opened with another MTU of their NIC than it has now.
 *
 * When a TCP connection is opened each end says how large the segments are that it takes (MSS), by its NIC's MTU
 * of that moment, and keeps to that: a larger MTU is used by new connections only; with a smaller one the other
 * end may go on sending frames that are not taken any more.
 */
#ifndef LUNSCOPE_PATH_MTU_H
#define LUNSCOPE_PATH_MTU_H

#include "sessions.h"

/* The NIC and its route carry more than the path's connections use. */
bool path_mtu_unused(const struct path_view *p);
/* The other end may send more than the NIC takes. */
bool path_mtu_exceeded(const struct path_view *p);
/* Either in words, with what to do: "p1 mtu 9000: its sessions were opened for MSS 1448, ..."; false: there is
 * nothing to say. */
bool path_mtu_words(char *out, size_t n, const struct path_view *p);
/* The same of all paths, each NIC once; "" without any. Returns out. */
char *path_mtu_all(char *out, size_t n, const struct sessions *s);

#endif
