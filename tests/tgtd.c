/* tgtd.c - a private tgtd: started, told what to serve, killed, restarted, cleaned up. */
#include "tests/tgtd.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "tests/proc.h"
#include "tests/scratch.h"

#define IQN "iqn.2026-01.test.lunscope:"
/* Only names the control socket, which lies in a folder of our own. */
#define CONTROL "1"
#define WORDS   24

const char *tgtd_missing(void)
{
	struct proc p;
	if (geteuid() != 0)
		return "needs root for tgtd";
	PROC(&p, "tgtd", "-V");
	bool there = p.status == 0;
	proc_free(&p);
	return there ? NULL : "needs tgtd (package tgt)";
}

static void pause_ms(int ms)
{
	nanosleep(&(struct timespec){.tv_nsec = ms * 1000000l}, NULL);
}

const char *tgtd_address(const struct tgtd *t, unsigned portal)
{
	static const char *const loopback[] = {"127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4"};
	return t->o.net ? net_address(NET_TARGET, portal) : loopback[portal - 1];
}

const char *tgtd_iqn(const char *suffix)
{
	static char name[4][256];
	static unsigned turn;
	char *s = name[turn++ % 4];
	snprintf(s, sizeof name[0], IQN "%s", suffix);
	return s;
}

const char *tgtd_url(const struct tgtd *t, unsigned portal, const char *who, const char *suffix,
		     int lun)
{
	static char url[8][512];
	static unsigned turn;
	char *s = url[turn++ % 8];
	snprintf(s, sizeof url[0], "iscsi://%s%s%s:%d/" IQN "%s/%d", who, *who ? "@" : "",
		 tgtd_address(t, portal), t->port, suffix, lun);
	return s;
}

/* --- Talking to it ------------------------------------------------------------------------------ */

/* words: tgtadm's arguments, one a line. Its output goes to *out when asked for (free it). */
static int adm_quiet(const struct tgtd *t, const char *words, char **out, bool quiet)
{
	char copy[1024], *rest = copy;
	const char *argv[WORDS + 6] = {"tgtadm", "-C", CONTROL, "--lld", "iscsi"};
	const char *env[] = {t->socket, NULL};
	struct proc_options o = {.env = env};
	struct proc p;
	int n = 5;

	snprintf(copy, sizeof copy, "%s", words);
	for (char *w; (w = strsep(&rest, "\n")) && n < WORDS + 5;)
		argv[n++] = w;
	int r = proc_run(&p, argv, &o);
	if (r)
		return r;
	if (p.status && !quiet)
		fprintf(stderr, "tgtd: tgtadm %s: %s\n", words, p.err);
	r = p.status ? -EIO : 0;
	if (out) {
		*out = p.out;
		p.out = NULL;
	}
	proc_free(&p);
	return r;
}

/* Tells it, and remembers what was said for a restart. */
__attribute__((format(printf, 2, 3))) static int tell(struct tgtd *t, const char *format, ...)
{
	char words[1024];
	va_list args;
	va_start(args, format);
	vsnprintf(words, sizeof words, format, args);
	va_end(args);

	int r = adm_quiet(t, words, NULL, false);
	if (r)
		return r;
	char **more = realloc(t->told, (t->n_told + 1) * sizeof *more);
	if (!more)
		return -ENOMEM;
	t->told = more;
	t->told[t->n_told] = strdup(words);
	return t->told[t->n_told++] ? 0 : -ENOMEM;
}

/* --- Its life ----------------------------------------------------------------------------------- */

/* A port that is free on every portal's address. Another program could take it before tgtd does; then
 * the start fails, and is tried with another one. */
static int free_port(void)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)};
	socklen_t n = sizeof a;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	int r = bind(fd, (struct sockaddr *)&a, n) || getsockname(fd, (struct sockaddr *)&a, &n)
			? -errno
			: ntohs(a.sin_port);
	close(fd);
	return r;
}

static _Noreturn void child(const struct tgtd *t, const char *portals, pid_t parent)
{
	/* tgtd takes a buffer for each command; with glibc's thresholds each one above 128 KiB is mapped
	 * and unmapped anew, which makes large IO several times slower. */
	static const char *const env[] = {"MALLOC_MMAP_THRESHOLD_=67108864",
					  "MALLOC_TRIM_THRESHOLD_=268435456",
					  "MALLOC_TOP_PAD_=16777216"};
	sigset_t none;

	/* In the background for good: nothing that waits for a pipe's end waits for tgtd. */
	setsid();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int s = 1; s < NSIG; s++)
		signal(s, SIG_DFL);
	int in = open("/dev/null", O_RDONLY);
	int log = open(t->log, O_WRONLY | O_CREAT | O_APPEND, 0600);
	if (in < 0 || log < 0 || (t->o.net && net_enter(t->o.net, NET_TARGET)))
		_exit(1);
	dup2(in, 0);
	dup2(log, 1);
	dup2(log, 2);
	close_range(3, ~0u, 0);
	for (size_t i = 0; i < sizeof env / sizeof *env; i++)
		putenv((char *)env[i]);
	putenv((char *)t->socket);
	execlp("tgtd", "tgtd", "-f", "-C", CONTROL, "-t", "2", "--iscsi", portals, (char *)NULL);
	_exit(127);
}

/* tgtd goes on when it can't bind a portal, so each one is looked for. */
static bool listens(const struct tgtd *t)
{
	char *out = NULL;
	bool all =
		!adm_quiet(t, "--op\nshow\n--mode\nsys", &out, true) && strstr(out, "iscsi: ready");
	free(out);
	out = NULL;
	all = all && !adm_quiet(t, "--op\nshow\n--mode\nportal", &out, true);
	for (unsigned i = 1; all && i <= t->o.portals; i++) {
		char portal[64];
		snprintf(portal, sizeof portal, "%s:%d,", tgtd_address(t, i), t->port);
		all = strstr(out, portal);
	}
	free(out);
	return all;
}

static void show_log(const struct tgtd *t)
{
	char line[512];
	FILE *f = fopen(t->log, "re");
	while (f && fgets(line, sizeof line, f))
		fprintf(stderr, "tgtd: %s", line);
	if (f)
		fclose(f);
}

static int launch(struct tgtd *t)
{
	char portals[512] = "";
	size_t n = 0;

	/* One option with a list: a second --iscsi would replace the first. */
	for (unsigned i = 1; i <= t->o.portals; i++)
		n += (size_t)snprintf(portals + n, sizeof portals - n, "%sportal=%s:%d",
				      i > 1 ? "," : "", tgtd_address(t, i), t->port);
	if (t->o.nop_interval)
		snprintf(portals + n, sizeof portals - n, ",nop_interval=%u,nop_count=5",
			 t->o.nop_interval);

	pid_t parent = getpid();
	fflush(NULL);
	t->pid = fork();
	if (t->pid < 0) {
		t->pid = 0;
		return -errno;
	}
	if (t->pid == 0)
		child(t, portals, parent);
	for (double end = proc_now() + proc_patience(); proc_now() < end; pause_ms(10)) {
		if (waitpid(t->pid, NULL, WNOHANG) == t->pid) {
			t->pid = 0;
			break;
		}
		if (listens(t))
			return 0;
	}
	show_log(t);
	tgtd_kill(t);
	return -ETIMEDOUT;
}

int tgtd_start(struct tgtd *t, const struct tgtd_options *o)
{
	static const struct tgtd_options plain;
	static unsigned serial;
	memset(t, 0, sizeof *t);
	t->o = o ? *o : plain;
	if (!t->o.portals)
		t->o.portals = t->o.net ? t->o.net->links : 1;
	unsigned number = serial++;
	char name[32];
	snprintf(name, sizeof name, "tgtd%u", number);
	/* The path of a UNIX socket is short: unix(7). tgtd appends ".1" and ".1.lock". */
	int n = snprintf(t->socket, sizeof t->socket, "TGT_IPC_SOCKET=%s", scratch_path(name));
	if (n - (int)strlen("TGT_IPC_SOCKET=") > 90) {
		fprintf(stderr, "tgtd: %s: too long for a socket; set TMPDIR to a shorter one\n",
			scratch_dir());
		return -ENAMETOOLONG;
	}
	snprintf(t->log, sizeof t->log, "%s.log", scratch_path(name));

	int r = -ETIMEDOUT;
	for (int tries = 0; r && tries < (t->o.net ? 1 : 3); tries++) {
		t->port = t->o.net ? 3260 : free_port();
		r = t->port < 0 ? t->port : launch(t);
	}
	return r;
}

void tgtd_kill(struct tgtd *t)
{
	if (t->pid <= 0)
		return;
	kill(t->pid, SIGKILL);
	while (waitpid(t->pid, NULL, 0) < 0 && errno == EINTR)
		;
	t->pid = 0;
	/* They are named after a process that is gone; a new one would make them anew anyway. */
	const char *path = strchr(t->socket, '=') + 1;
	char file[256];
	snprintf(file, sizeof file, "%s." CONTROL, path);
	unlink(file);
	snprintf(file, sizeof file, "%s." CONTROL ".lock", path);
	unlink(file);
}

int tgtd_restart(struct tgtd *t)
{
	tgtd_kill(t);
	int r = launch(t);
	for (unsigned i = 0; r == 0 && i < t->n_told; i++)
		r = adm_quiet(t, t->told[i], NULL, false);
	return r;
}

void tgtd_free(struct tgtd *t)
{
	tgtd_kill(t);
	for (unsigned i = 0; i < t->n_told; i++)
		free(t->told[i]);
	free(t->told);
	memset(t, 0, sizeof *t);
}

/* --- What it serves ----------------------------------------------------------------------------- */

int tgtd_parameter(struct tgtd *t, int tid, const char *name, const char *value)
{
	return tell(t, "--op\nupdate\n--mode\ntarget\n--tid\n%d\n--name\n%s\n--value\n%s", tid,
		    name, value);
}

int tgtd_target(struct tgtd *t, const char *suffix)
{
	int tid = t->targets + 1;
	int r = tell(t, "--op\nnew\n--mode\ntarget\n--tid\n%d\n-T\n%s", tid, tgtd_iqn(suffix));
	if (r)
		return r;
	t->targets = tid;
	/* The defaults (128 commands, segments of 8 KiB) are older than the tests' queue depths. */
	if ((r = tgtd_parameter(t, tid, "MaxQueueCmd", "512")) ||
	    (r = tgtd_parameter(t, tid, "MaxRecvDataSegmentLength", "262144")) ||
	    (r = tgtd_parameter(t, tid, "InitialR2T", "No")) ||
	    (r = tgtd_parameter(t, tid, "FirstBurstLength", "262144")) ||
	    (r = tell(t, "--op\nbind\n--mode\ntarget\n--tid\n%d\n-I\nALL", tid)))
		return r;
	return tid;
}

int tgtd_delete_target(struct tgtd *t, int tid)
{
	return tell(t, "--op\ndelete\n--mode\ntarget\n--force\n--tid\n%d", tid);
}

static int account(struct tgtd *t, int tid, const char *user, const char *secret, const char *way)
{
	char said[256];
	bool known = false;
	snprintf(said, sizeof said, "--op\nnew\n--mode\naccount\n--user\n%s\n--password\n%s", user,
		 secret);
	for (unsigned i = 0; i < t->n_told; i++)
		known = known || !strcmp(t->told[i], said);
	int r = known ? 0 : tell(t, "%s", said);
	return r ? r
		 : tell(t, "--op\nbind\n--mode\naccount\n--tid\n%d\n--user\n%s%s", tid, user, way);
}

int tgtd_chap(struct tgtd *t, int tid, bool mutual)
{
	int r = account(t, tid, TGTD_USER, TGTD_SECRET, "");
	if (r == 0 && mutual)
		r = account(t, tid, TGTD_USER_BACK, TGTD_SECRET_BACK, "\n--outgoing");
	return r;
}

static int lun_parameters(struct tgtd *t, int tid, int lun, const char *parameters)
{
	return tell(t, "--op\nupdate\n--mode\nlogicalunit\n--tid\n%d\n--lun\n%d\n--params\n%s", tid,
		    lun, parameters);
}

int tgtd_lun(struct tgtd *t, int tid, int lun, const struct tgtd_lun *l)
{
	char parameters[256];
	int r = tell(t,
		     "--op\nnew\n--mode\nlogicalunit\n--tid\n%d\n--lun\n%d\n--bstype\n%s\n-b\n%s\n"
		     "--blocksize\n%u",
		     tid, lun, l->file ? "rdwr" : "null", l->file ? l->file : "null",
		     l->block ? l->block : 512);
	if (r)
		return r;
	snprintf(parameters, sizeof parameters, "readonly=%d%s%s%s%s", l->read_only,
		 l->id ? ",scsi_id=" : "", l->id ? l->id : "", l->serial ? ",scsi_sn=" : "",
		 l->serial ? l->serial : "");
	return lun_parameters(t, tid, lun, parameters);
}

int tgtd_lun_delete(struct tgtd *t, int tid, int lun)
{
	return tell(t, "--op\ndelete\n--mode\nlogicalunit\n--tid\n%d\n--lun\n%d", tid, lun);
}

int tgtd_lun_read_only(struct tgtd *t, int tid, int lun, bool on)
{
	return lun_parameters(t, tid, lun, on ? "readonly=1" : "readonly=0");
}

int tgtd_lun_online(struct tgtd *t, int tid, int lun, bool on)
{
	return lun_parameters(t, tid, lun, on ? "online=1" : "online=0");
}

int tgtd_lun_resize(struct tgtd *t, int tid, int lun, const struct tgtd_lun *l, uint64_t size)
{
	if (truncate(l->file, (off_t)size))
		return -errno;
	int r = tgtd_lun_delete(t, tid, lun);
	return r ? r : tgtd_lun(t, tid, lun, l);
}

/* Connections outlive their portal: their sockets are closed too. ss says "Invalid argument" of some
 * that it has closed nevertheless, so what it says is not asked. */
static void cut_connections(const struct tgtd *t, unsigned portal)
{
	struct proc p;
	char port[16];
	snprintf(port, sizeof port, ":%d", t->port);
	int here = t->o.net ? net_visit(t->o.net, NET_TARGET) : -1;
	PROC(&p, "ss", "-K", "state", "established", "src", tgtd_address(t, portal), "sport", "=",
	     port);
	proc_free(&p);
	if (here >= 0)
		net_return(here);
}

int tgtd_portal(struct tgtd *t, unsigned portal, bool up)
{
	int r = tell(t, "--op\n%s\n--mode\nportal\n--param\nportal=%s:%d", up ? "new" : "delete",
		     tgtd_address(t, portal), t->port);
	if (r == 0 && !up)
		cut_connections(t, portal);
	return r;
}
