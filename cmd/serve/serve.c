/* SPDX-License-Identifier: MIT */
/* filch serve: reads the options and starts the server. */
#include <errno.h>
#include <fcntl.h>
#include <filch/pool.h>
#include <filch/task.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cmd/filch.h"
#include "cmd/serve/cache.h"
#include "cmd/serve/server.h"

static const char help[] =
	"usage: filch serve [OPTION...] [DIR]\n"
	"\n"
	"Serves the files below DIR (.) over HTTP/1.1 until it gets SIGINT or SIGTERM; "
	"then\n"
	"requests under way are finished. A second signal stops it at once.\n"
	"\n"
	"  --address ADDRESS     numeric address to listen on (127.0.0.1: this machine "
	"only)\n"
	"  --port N              port (8080); 0 picks a free one\n"
	"  --workers N           threads (as many as there are processors to use)\n"
	"  --index NAME          file that stands for its directory (index.html)\n"
	"  --no-listing          directories without one are not listed, but refused\n"
	"  --log FILE            access log, in the Common Log Format; '-': standard "
	"output;\n"
	"                        SIGHUP opens it again\n"
	"  --max-header SIZE     most bytes of a request's head (8K; 256 to 1M)\n"
	"  --max-body SIZE       most bytes of a request's body, which is dropped (1M)\n"
	"  --max-connections N   at the same time (10000, or what ulimit -Hn allows); "
	"others\n"
	"                        are answered by 503\n"
	"  --idle SECONDS        that a connection may wait for a request, or a client "
	"take\n"
	"                        nothing of its answer (60)\n"
	"  --header-time SECONDS that a request's head may take from its first byte on "
	"(20)\n"
	"  --grace SECONDS       that requests under way have when it is to stop (10)\n"
	"  --help                this text\n"
	"\n"
	"examples:\n"
	"  filch serve                              # this directory, on port 8080\n"
	"  filch serve --port 0 --log - ~/public    # on some port, telling what is "
	"asked for\n"
	"  filch serve --workers 1 --no-listing --max-connections 500 /srv/www\n";

enum serve_option {
	ADDRESS = 256,
	PORT,
	WORKERS,
	INDEX,
	NO_LISTING,
	LOG,
	MAX_HEADER,
	MAX_BODY,
	MAX_CONNECTIONS,
	IDLE,
	HEADER_TIME,
	GRACE,
	HELP,
};

static const struct option options[] = {
	{"address", required_argument, NULL, ADDRESS},
	{"port", required_argument, NULL, PORT},
	{"workers", required_argument, NULL, WORKERS},
	{"index", required_argument, NULL, INDEX},
	{"no-listing", no_argument, NULL, NO_LISTING},
	{"log", required_argument, NULL, LOG},
	{"max-header", required_argument, NULL, MAX_HEADER},
	{"max-body", required_argument, NULL, MAX_BODY},
	{"max-connections", required_argument, NULL, MAX_CONNECTIONS},
	{"idle", required_argument, NULL, IDLE},
	{"header-time", required_argument, NULL, HEADER_TIME},
	{"grace", required_argument, NULL, GRACE},
	{"help", no_argument, NULL, HELP},
	{0},
};

#define YEAR 31536000u

static int wrong(const char *what, const char *value)
{
	fprintf(stderr, "filch serve: %s%s%s%s\nTry 'filch serve --help'.\n", what,
	        value ? " '" : "", value ? value : "", value ? "'" : "");
	return 2;
}

/* Parses a number, which may have K, M or G after it if `size` is set. */
static bool parse_number(const char *text, bool size, size_t min, size_t max, size_t *out)
{
	static const char units[] = "KMG";
	char *end;
	unsigned long long value = strtoull(text, &end, 10);
	const char *unit = size && *end ? strchr(units, *end) : NULL;

	if (*text < '0' || *text > '9' || value > max || (*end && (!unit || end[1])))
		return false;
	if (unit && value > max >> 10 * (unit - units + 1))
		return false;
	value <<= unit ? 10 * (unit - units + 1) : 0;
	if (value < min || value > max)
		return false;
	*out = (size_t)value;
	return true;
}

/* Takes one option. Returns false if its value is wrong. */
static bool take(struct serve_options *o, int option, const char *value)
{
	switch (option) {
	case ADDRESS:
		o->address = value;
		return true;
	case PORT:
		return parse_number(value, false, 0, 65535, &o->port);
	case WORKERS:
		return parse_number(value, false, 1, 1024, &o->workers);
	case INDEX:
		o->index = value;
		return *value && !strchr(value, '/') && strcmp(value, ".") &&
		       strcmp(value, "..");
	case NO_LISTING:
		o->listing = false;
		return true;
	case LOG:
		o->log = value;
		return *value;
	case MAX_HEADER:
		return parse_number(value, true, 256, 1 << 20, &o->max_header);
	case MAX_BODY:
		return parse_number(value, true, 0, (size_t)1 << 40, &o->max_body);
	case MAX_CONNECTIONS:
		return parse_number(value, false, 1, 1 << 22, &o->max_connections);
	case IDLE:
		return parse_number(value, false, 1, YEAR, &o->idle);
	case HEADER_TIME:
		return parse_number(value, false, 1, YEAR, &o->header_time);
	case GRACE:
		return parse_number(value, false, 0, YEAR, &o->grace);
	default:
		return false;
	}
}

/* Returns 0, or an exit code, or -1 if the help was asked for. */
static int parse(struct serve_options *o, int argc, char **argv)
{
	int option, index = 0;
	char text[96];

	opterr = 0;
	while ((option = getopt_long(argc, argv, "", options, &index)) != -1) {
		if (option == HELP)
			return -1;
		if (option == '?')
			return wrong("unknown option, or an option without its value:",
			             argv[optind - 1]);
		if (take(o, option, optarg))
			continue;
		snprintf(text, sizeof text, "--%s does not take", options[index].name);
		return wrong(text, optarg);
	}
	if (optind < argc - 1)
		return wrong("one directory at a time, please; also given:",
		             argv[optind + 1]);
	if (optind < argc)
		o->directory = argv[optind];
	return 0;
}

/* ---- starting ---- */

/* Raises the limit of descriptors as far as the system allows, and lowers the number of
 * connections to what fits: some descriptors are needed for files and for the runtime. */
static void fit_connections(struct serve_options *o)
{
	struct rlimit r;
	size_t most;

	if (getrlimit(RLIMIT_NOFILE, &r))
		return;
	r.rlim_cur = r.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &r);
	most = r.rlim_max > 256 ? r.rlim_max - 128 : r.rlim_max / 2;
	if (o->max_connections > most)
		o->max_connections = most;
}

/* Blocks the signals that a descriptor will deliver, and has writes to a closed
 * connection return an error. */
static void prepare_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static int fail(const char *what, const char *value, const char *why)
{
	fprintf(stderr, "filch serve: cannot %s '%s': %s\n", what, value, why);
	return 1;
}

FILCH_STATIC_TASK_VOID(run, (struct server *, s), (int *, err))
{
	*err = server_run(s);
}

static int run_on_pool(struct server *s)
{
	const char *why = "there is not enough memory";
	struct filch_pool_options p = {.workers = (unsigned)s->options->workers};
	struct filch_pool *pool;
	int err = -ENOMEM;

	if (filch_pool_create(&pool, &p, &why))
		return fail("start", "its workers", why);
	s->cache = cache_create(filch_pool_workers(pool));
	if (s->cache)
		FILCH_RUN_ON(pool, run, s, &err);
	while (filch_pool_destroy(pool) == -EBUSY) /* the last strand is just ending */
		usleep(1000);
	cache_destroy(s->cache);
	return err ? fail("serve", s->options->directory, strerror(-err)) : 0;
}

static void announce(const struct serve_options *o)
{
	bool v6 = strchr(o->address, ':');

	printf("serving %s on http://%s%s%s:%zu/\n", o->directory, v6 ? "[" : "",
	       o->address, v6 ? "]" : "", o->port);
	fflush(stdout);
}

static int open_all(struct server *s, struct serve_options *o)
{
	int err;

	s->root = open(o->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s->root < 0)
		return fail("serve", o->directory, strerror(errno));
	err = log_open(&s->log, o->log);
	if (err) {
		close(s->root);
		return fail("write the log", o->log, strerror(-err));
	}
	err = server_listen(s, o->address, &o->port);
	if (!err)
		return 0;
	log_close(&s->log);
	close(s->root);
	return fail("listen on", o->address,
	            err == -EINVAL ? "not a numeric address, such as 127.0.0.1 or ::1"
	            : err == -EADDRINUSE
	                    ? "the port is in use; --port 0 picks one that is not"
	                    : strerror(-err));
}

int cmd_serve(int argc, char **argv)
{
	struct serve_options o = {.directory = ".",
	                          .address = "127.0.0.1",
	                          .index = "index.html",
	                          .port = 8080,
	                          .listing = true,
	                          .max_header = 8192,
	                          .max_body = 1 << 20,
	                          .max_connections = 10000,
	                          .idle = 60,
	                          .header_time = 20,
	                          .grace = 10};
	struct server s = {.options = &o};
	int code = parse(&o, argc, argv);

	if (code < 0) {
		fputs(help, stdout);
		return fflush(stdout) ? 1 : 0;
	}
	if (code)
		return code;
	fit_connections(&o);
	prepare_signals();
	code = open_all(&s, &o);
	if (code)
		return code;
	announce(&o);
	code = run_on_pool(&s);
	log_close(&s.log);
	close(s.root);
	return code;
}
