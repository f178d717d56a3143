/* peer.c - whom to log in to, and as whom. */
#include "backends/iscsi/iscsi.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define INITIATOR_FILE "/etc/iscsi/initiatorname.iscsi"
#define INITIATOR_KEY  "InitiatorName="

static bool initiator_of_host(char *out, size_t n)
{
	char line[512];
	bool found = false;
	FILE *f = fopen(INITIATOR_FILE, "re");

	if (!f)
		return false;
	while (!found && fgets(line, sizeof(line), f)) {
		line[strcspn(line, " \t\r\n")] = 0;
		found = strncmp(line, INITIATOR_KEY, strlen(INITIATOR_KEY)) == 0 &&
			line[strlen(INITIATOR_KEY)];
	}
	fclose(f);
	if (found)
		snprintf(out, n, "%s", line + strlen(INITIATOR_KEY));
	return found;
}

void iscsi_initiator_name(char *out, size_t n)
{
	char host[128] = "";

	if (initiator_of_host(out, n))
		return;
	gethostname(host, sizeof(host) - 1);
	snprintf(out, n, "iqn.2026-01.lunscope:%s", host[0] ? host : "host");
}

int iscsi_peer_init(struct iscsi_peer *peer, const struct backend_open *how, unsigned i,
		    bool portal, struct error *e)
{
	struct backend_login *login = &peer->login;

	memset(peer, 0, sizeof(*peer));
	snprintf(peer->spec, sizeof(peer->spec), "%s", how->spec);
	if (how->login)
		*login = *how->login;
	int rc = iscsi_address_parse(&peer->at, how->spec, i, portal, e);
	if (rc)
		return rc;
	if (peer->at.user[0])
		snprintf(login->user, sizeof(login->user), "%s", peer->at.user);
	if (peer->at.target_user[0])
		snprintf(login->target_user, sizeof(login->target_user), "%s",
			 peer->at.target_user);
	if (!login->initiator[0])
		iscsi_initiator_name(login->initiator, sizeof(login->initiator));
	if (login->user[0] && !login->secret[0])
		return error_set(e, ENOKEY,
				 "%.200s: the CHAP user '%.60s' needs a secret: --chap-secret-file "
				 "FILE, or LUNSCOPE_CHAP_SECRET in the environment",
				 peer->spec, login->user);
	if (login->target_user[0] && (!login->target_secret[0] || !login->user[0]))
		return error_set(e, ENOKEY,
				 "%.200s: for mutual CHAP the target's secret is needed "
				 "(--chap-target-secret-file FILE, or "
				 "LUNSCOPE_CHAP_TARGET_SECRET), and a user of your own",
				 peer->spec);
	return iscsi_address_resolve(&peer->at, peer->portal, sizeof(peer->portal), e);
}
