/* proc.c - run a program, with a time limit, and keep what it said. */
#include "tests/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

double proc_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double proc_patience(void)
{
	const char *s = getenv("TEST_PATIENCE");
	double v = s ? atof(s) : 0;
	return v > 0 ? v : 60;
}

const char *lunscope_path(void)
{
	const char *s = getenv("LUNSCOPE");
	return s && *s ? s : "./lunscope";
}

/* stdin as a file in memory: no pipe that could fill up. */
static int input_fd(const char *text)
{
	if (!text)
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	int fd = memfd_create("stdin", MFD_CLOEXEC);
	size_t n = strlen(text);
	if (fd >= 0 && (write(fd, text, n) != (ssize_t)n || lseek(fd, 0, SEEK_SET))) {
		close(fd);
		return -1;
	}
	return fd;
}

static _Noreturn void child(const char *const argv[], const struct proc_options *o, int in, int out,
			    int err)
{
	/* A group of its own, so that the time limit ends its children too; and it doesn't outlive
	 * a test that crashes. */
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int s = 1; s < NSIG; s++)
		signal(s, SIG_DFL);
	dup2(in, 0);
	dup2(out, 1);
	dup2(err, 2);
	for (const char *const *e = o->env; e && *e; e++)
		strchr(*e, '=') ? putenv((char *)*e) : unsetenv(*e);
	if (!o->dir || !chdir(o->dir))
		execvp(argv[0], (char *const *)argv);
	fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

int proc_start(struct proc *p, const char *const argv[], const struct proc_options *o)
{
	static const struct proc_options plain;
	if (!o)
		o = &plain;
	memset(p, 0, sizeof *p);
	int out[2] = {-1, -1}, err[2] = {-1, -1};
	int in = input_fd(o->input);
	if (in < 0 || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
		goto failed;
	fflush(NULL);
	p->pid = fork();
	if (p->pid < 0)
		goto failed;
	if (p->pid == 0)
		child(argv, o, in, out[1], err[1]);
	setpgid(p->pid, p->pid);
	close(in);
	close(out[1]);
	close(err[1]);
	p->out_fd = out[0];
	p->err_fd = err[0];
	p->deadline = proc_now() + (o->limit_s > 0 ? o->limit_s : proc_patience());
	return 0;
failed:;
	int r = -errno;
	int fds[] = {in, out[0], out[1], err[0], err[1]};
	for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	return r;
}

/* Takes what is there; false at the end of the stream. */
static bool drain(int fd, char **text, size_t *length)
{
	char buf[65536];
	ssize_t n = read(fd, buf, sizeof buf);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	if (n <= 0)
		return false;
	char *grown = realloc(*text, *length + (size_t)n + 1);
	if (!grown)
		abort();
	memcpy(grown + *length, buf, (size_t)n);
	*length += (size_t)n;
	grown[*length] = 0;
	*text = grown;
	return true;
}

void proc_wait(struct proc *p)
{
	struct pollfd f[2] = {{p->out_fd, POLLIN, 0}, {p->err_fd, POLLIN, 0}};
	while (f[0].fd >= 0 || f[1].fd >= 0) {
		double left = p->deadline - proc_now();
		if (left <= 0 && !p->timed_out) {
			p->timed_out = true;
			kill(-p->pid, SIGKILL);
			p->deadline += 10;
			continue;
		}
		if (left <= 0)
			break; /* somebody outside the group holds the pipe: not ours to wait for */
		if (poll(f, 2, (int)(left * 1000) + 1) <= 0)
			continue;
		if (f[0].revents && !drain(p->out_fd, &p->out, &p->out_length))
			f[0].fd = -1;
		if (f[1].revents && !drain(p->err_fd, &p->err, &p->err_length))
			f[1].fd = -1;
	}
	close(p->out_fd);
	close(p->err_fd);
	int st = 0;
	pid_t r;
	while ((r = waitpid(p->pid, &st, WNOHANG)) == 0 || (r < 0 && errno == EINTR)) {
		if (proc_now() > p->deadline && !p->timed_out) {
			p->timed_out = true;
			kill(-p->pid, SIGKILL);
		}
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	}
	p->status = WIFSIGNALED(st) ? 128 + WTERMSIG(st) : WEXITSTATUS(st);
	p->pid = 0;
	if (!p->out)
		p->out = strdup("");
	if (!p->err)
		p->err = strdup("");
}

int proc_run(struct proc *p, const char *const argv[], const struct proc_options *o)
{
	int r = proc_start(p, argv, o);
	if (r == 0)
		proc_wait(p);
	return r;
}

void proc_free(struct proc *p)
{
	free(p->out);
	free(p->err);
	memset(p, 0, sizeof *p);
}
