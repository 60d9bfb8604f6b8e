/* SPDX-License-Identifier: MIT */
/* The servers: filch serve, and nginx as its users would have it. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench/serve/run.h"

#define AGE_NS UINT64_C(2500000000)
#define START_NS UINT64_C(20000000000) /* that a server may take to start */

/* ---- the folder and its files ---- */

/* Made by the first run. */
static char folder[64];

static void remove_folder(void)
{
	static const char *const names[] = {"nginx.conf", "nginx.pid", "nginx.log"};
	char path[128];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		unlink(path);
	}
	for (unsigned log = 0; log < 32; log++) {
		snprintf(path, sizeof path, "%s/%u.bin", folder, 1u << log);
		unlink(path);
	}
	rmdir(folder);
}

static void make_folder(void)
{
	if (*folder)
		return;
	snprintf(folder, sizeof folder, "/tmp/filch-bench-serve-XXXXXX");
	if (!mkdtemp(folder))
		rounds_fail_errno("no folder", errno);
	atexit(remove_folder);
	chmod(folder, 0755); /* some servers are another user */
}

/* Files that are served are not new, as a rule; and what is, may not be cached. */
static void make_file(size_t size)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof path, "%s/%zu.bin", folder, size);
	if (!access(path, R_OK))
		return;
	f = fopen(path, "we");
	for (size_t i = 0; f && i < size; i++)
		fputc((int)(i * 31 & 0xff), f);
	if (!f || fclose(f))
		rounds_fail_errno("no file", errno);
	rounds_pause_ns(AGE_NS);
}

/* ---- servers ---- */

static int connect_to(unsigned port)
{
	struct sockaddr_in a = {.sin_family = AF_INET,
	                        .sin_port = htons((uint16_t)port),
	                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || !connect(fd, (struct sockaddr *)&a, sizeof a))
		return fd;
	close(fd);
	return -1;
}

static void wait_for(const struct serve_server *s)
{
	uint64_t end = filch__now_ns() + START_NS;
	int fd;

	while ((fd = connect_to(s->port)) < 0) {
		if (filch__now_ns() > end || waitpid(s->process, NULL, WNOHANG))
			rounds_fail("the server does not start");
		rounds_pause_ns(2000000);
	}
	close(fd);
}

static void start_filch(struct serve_server *s, unsigned workers)
{
	char number[16];
	char line[256] = "", *colon, self[SERVE_PATH] = "";
	char *argv[] = {self,     "serve", "--workers",         number,
	                "--port", "0",     "--max-connections", "18000",
	                folder,   NULL};
	int pipe[2];
	FILE *f;

	if (readlink("/proc/self/exe", self, sizeof self - 1) < 0 ||
	    pipe2(pipe, O_CLOEXEC))
		rounds_fail_errno("no server", errno);
	snprintf(number, sizeof number, "%u", workers);
	s->process = serve_start(argv, 0, workers, pipe[1]);
	close(pipe[1]);
	f = fdopen(pipe[0], "re");
	colon = f && fgets(line, sizeof line, f) ? strrchr(line, ':') : NULL;
	if (!colon || sscanf(colon, ":%u/", &s->port) != 1)
		rounds_fail("the server does not start");
	fclose(f);
}

/* A port that is free now, and will be the server's in a moment. */
static unsigned free_port(void)
{
	struct sockaddr_in a = {.sin_family = AF_INET,
	                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof a;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof a) ||
	    getsockname(fd, (struct sockaddr *)&a, &size))
		rounds_fail_errno("no port", errno);
	close(fd);
	return ntohs(a.sin_port);
}

/* As its users would have it: nothing is logged, files stay open, answers go in few
 * packets, connections are kept. */
static void configure_nginx(const struct serve_server *s, const char *path)
{
	FILE *f = fopen(path, "we");

	if (!f)
		rounds_fail_errno("no configuration", errno);
	fprintf(f,
	        "daemon off; master_process off; worker_processes 1;\n"
	        "worker_rlimit_nofile 20000; pid %s/nginx.pid;\n"
	        "error_log %s/nginx.log crit;\n"
	        "events { worker_connections 18000; }\n"
	        "http {\n"
	        "  access_log off; sendfile on; tcp_nopush on; tcp_nodelay on;\n"
	        "  keepalive_requests 1000000000; keepalive_timeout 60;\n"
	        "  open_file_cache max=1000;\n"
	        "  server { listen 127.0.0.1:%u backlog=65535; root %s; }\n"
	        "}\n",
	        folder, folder, s->port, folder);
	if (fclose(f))
		rounds_fail_errno("no configuration", errno);
}

static void start_nginx(struct serve_server *s, const char *program)
{
	char configuration[128], log[128];
	char *argv[] = {(char *)program, "-p", folder, "-c",
	                configuration,   "-e", log,    NULL};

	snprintf(configuration, sizeof configuration, "%s/nginx.conf", folder);
	snprintf(log, sizeof log, "%s/nginx.log", folder);
	s->port = free_port();
	configure_nginx(s, configuration);
	s->process = serve_start(argv, 0, 1, -1);
	wait_for(s);
}

/* ---- life ---- */

void serve_begin(struct serve_server *s, const char *program, unsigned workers,
                 size_t size)
{
	make_folder();
	make_file(size);
	if (program)
		start_nginx(s, program);
	else
		start_filch(s, workers);
}

void serve_finish(struct serve_server *s)
{
	serve_end(s->process);
}

/* The right answer, once. */
void serve_check(const struct serve_server *s, size_t size)
{
	char ask[64];
	char *answer = rounds_allocate(size + 4096, 1), *body;
	size_t n = 0;
	ssize_t r;
	int fd = connect_to(s->port);

	snprintf(ask, sizeof ask, "GET /%zu.bin HTTP/1.0\r\n\r\n", size);
	if (fd < 0 || write(fd, ask, strlen(ask)) < 0)
		rounds_fail_errno("no answer", errno);
	while ((r = read(fd, answer + n, size + 4095 - n)) > 0)
		n += (size_t)r;
	close(fd);
	body = strstr(answer, "\r\n\r\n");
	rounds_check(body && (size_t)(answer + n - body) == size + 4 &&
	             !strncmp(answer, "HTTP/1.1 200 ", 13));
	for (size_t i = 0; i < size; i++)
		/* rounds_check() ends us. NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
		rounds_check((unsigned char)body[4 + i] == (i * 31 & 0xff));
	free(answer);
}
