/* tcp_diag.h - what the kernel tells of a TCP connection that belongs to somebody else.
 *
 * TCP_INFO is for who has the socket. The kernel's iSCSI initiator has its own, and of those sock_diag
 * tells the same (sock_diag(7)); any user may ask, for the network namespace that he is in.
 */
#ifndef LUNSCOPE_TCP_DIAG_H
#define LUNSCOPE_TCP_DIAG_H

#include <stddef.h>
#include <sys/socket.h>
#include "backends/backend.h"

/* A socket to ask through, to be closed; -errno where there is none. */
int tcp_diag_open(void);
/* Fills the TCP part of s, and s->local, from the connection local -> remote. A local address of 0 (with
 * its port) means that it is not known: all connections of the host are gone through, and it is filled
 * in. interface is
 * the index of the NIC, without which a socket that is bound to one is not found; 0 = not known. 0;
 * -ENOENT when there is no such connection, or -errno: then that part of s is not known. */
int tcp_diag_look(int fd, struct sockaddr_storage *local,
		  const struct sockaddr_storage *remote, unsigned interface,
		  struct backend_session *s);
/* The same from one datagram of an answer, which may be anything. -EAGAIN when the connection is not in
 * it and more may follow. */
int tcp_diag_parse(const void *answer, size_t n, const struct sockaddr_storage *remote,
		   struct sockaddr_storage *local, struct backend_session *s);

/* "10.0.0.5" or "fe80::1" with a port, as a socket address; false when it is none. A blank port is 0. */
bool tcp_address(const char *host, const char *port, struct sockaddr_storage *out);
/* "10.0.0.5:3260", "[fe80::1]:3260" */
char *tcp_address_words(const struct sockaddr_storage *a, char *out, size_t n);
/* Those words again; false when they are none. */
bool tcp_address_parse(const char *words, struct sockaddr_storage *out);
/* Whether there is more than a port: false for 0.0.0.0, ::, and what is no address. */
bool tcp_address_is_set(const struct sockaddr_storage *a);
/* In network order; 0 when a is no address. */
uint16_t tcp_address_port(const struct sockaddr_storage *a);

#endif
