/* ssh.h - by which NIC the operator's own ssh session comes, so that nobody saws off the branch that they
 * sit on.
 */
#ifndef LUNSCOPE_FLIP_SSH_H
#define LUNSCOPE_FLIP_SSH_H

#include <stdbool.h>
#include <stddef.h>

/* What $SSH_CONNECTION is, of this process or of one above it (sudo takes it away), into out; false when
 * there is none. It is "CLIENT PORT SERVER PORT" (ssh(1)). */
bool ssh_connection(char *out, size_t n);
/* The NIC that has the server's address of such a text; "" when none has. */
void ssh_nic_of(const char *connection, char nic[16]);
/* Whether a change of this NIC reaches that session: it is the same, lies below it (of a VLAN), or is part
 * of it (of a bond or bridge). */
bool ssh_is_over(const char *ssh_nic, const char *nic);

#endif
