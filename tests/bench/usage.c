/* usage.c - runs a command and says what CPU time it took: its own, and the whole host's meanwhile.
 *
 *     usage FILE COMMAND [ARGUMENT]...
 *
 * FILE gets "USER SYSTEM HOST" in microseconds: the kernel's account of the command with all its
 * threads and children (getrusage), and the busy time of all CPUs (/proc/stat, in its ticks), in which
 * the kernel's own threads and everybody else's work count too. Ends with the command's exit status.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Busy microseconds of all CPUs: user, nice, system, irq, softirq (proc(5); steal is not the host's). */
static double host_busy(void)
{
	double user, nice, system, idle, iowait, irq, softirq;
	FILE *f = fopen("/proc/stat", "re");

	if (!f || fscanf(f, "cpu %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &system, &idle,
			 &iowait, &irq, &softirq) != 7) {
		fprintf(stderr, "usage: /proc/stat is not readable\n");
		exit(126);
	}
	fclose(f);
	return (user + nice + system + irq + softirq) * 1e6 / (double)sysconf(_SC_CLK_TCK);
}

static double microseconds(struct timeval t)
{
	return (double)t.tv_sec * 1e6 + (double)t.tv_usec;
}

int main(int argc, char **argv)
{
	struct rusage used;
	int status;

	if (argc < 3) {
		fprintf(stderr, "usage: usage FILE COMMAND [ARGUMENT]...\n");
		return 126;
	}
	double before = host_busy();
	pid_t pid = fork();
	if (pid == 0) {
		execvp(argv[2], argv + 2);
		perror(argv[2]);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid) {
		perror("usage");
		return 126;
	}
	double host = host_busy() - before;
	getrusage(RUSAGE_CHILDREN, &used);
	FILE *f = fopen(argv[1], "we");
	if (!f) {
		perror(argv[1]);
		return 126;
	}
	fprintf(f, "%.0f %.0f %.0f\n", microseconds(used.ru_utime), microseconds(used.ru_stime),
		host);
	fclose(f);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
