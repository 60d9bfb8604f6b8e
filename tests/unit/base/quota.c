/* SPDX-License-Identifier: MIT */
/*
 * The limits of cgroups, in trees laid out for the purpose: both versions, all ancestors,
 * namespaces, and files that say nothing useful.
 */
#include "tests/test.h"

#include <errno.h>
#include <ftw.h>
#include <sched.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quota.h"

#define V2_MOUNT "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n"
#define V1_MOUNT                                                               \
	"33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup " \
	"rw,cpuacct,cpu\n"

static char root[64];
static struct filch__cpus cpus;

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static int set_up(void **state)
{
	(void)state;
	strcpy(root, "/tmp/filch-quota-XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	return nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Writes a file of the tree, and makes the folders above it. */
static void put(const char *path, const char *text)
{
	char full[512];
	FILE *f;

	snprintf(full, sizeof full, "%s%s", root, path);
	for (char *p = full + strlen(root) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(full, 0700);
		*p = '/';
	}
	f = fopen(full, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void put_proc(const char *cgroup, const char *mountinfo)
{
	put("/proc/self/cgroup", cgroup);
	put("/proc/self/mountinfo", mountinfo);
}

/* The quota must be this, and come from this file; NULL: from none. */
static void expect(unsigned quota, const char *from)
{
	assert_int_equal(filch__cpus_read(&cpus, root), 0);
	assert_int_equal(cpus.quota, quota);
	if (from)
		assert_string_equal(cpus.quota_from + strlen(root), from);
	else
		assert_string_equal(cpus.quota_from, "");
}

static void test_no_files(void **state)
{
	(void)state;
	expect(0, NULL);
	put("/proc/self/cgroup", "0::/a\n");
	expect(0, NULL);
}

static void test_v2(void **state)
{
	(void)state;
	put_proc("0::/a/b\n", "22 27 0:21 / /proc rw - proc proc rw\n" V2_MOUNT);
	expect(0, NULL);
	put("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
	expect(0, NULL);
	put("/sys/fs/cgroup/a/b/cpu.max", "300000 100000\n");
	expect(3, "/sys/fs/cgroup/a/b/cpu.max");
	put("/sys/fs/cgroup/a/b/cpu.weight", "1\n");
	expect(3, "/sys/fs/cgroup/a/b/cpu.max");
}

static void test_rounds_up(void **state)
{
	(void)state;
	put_proc("0::/a\n", V2_MOUNT);
	put("/sys/fs/cgroup/a/cpu.max", "150000 100000\n");
	expect(2, "/sys/fs/cgroup/a/cpu.max");
	put("/sys/fs/cgroup/a/cpu.max", "1000 100000\n");
	expect(1, "/sys/fs/cgroup/a/cpu.max");
	put("/sys/fs/cgroup/a/cpu.max", "200001 100000\n");
	expect(3, "/sys/fs/cgroup/a/cpu.max");
}

static void test_ancestors(void **state)
{
	(void)state;
	put_proc("0::/a/b/c\n", V2_MOUNT);
	put("/sys/fs/cgroup/a/b/c/cpu.max", "800000 100000\n");
	put("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
	put("/sys/fs/cgroup/a/cpu.max", "250000 100000\n");
	expect(3, "/sys/fs/cgroup/a/cpu.max");
	/* The top of a mount may be limited too: in a container it is. */
	put("/sys/fs/cgroup/cpu.max", "50000 50000\n");
	expect(1, "/sys/fs/cgroup/cpu.max");
	put("/cpu.max", "1 1000\n"); /* above the mount: no cgroup */
	put("/sys/fs/cgroup/cpu.max", "max 100000\n");
	expect(3, "/sys/fs/cgroup/a/cpu.max");
}

static void test_a_level_without_files(void **state)
{
	(void)state;
	put_proc("0::/a/gone/c\n", V2_MOUNT);
	put("/sys/fs/cgroup/a/cpu.max", "200000 100000\n");
	expect(2, "/sys/fs/cgroup/a/cpu.max");
}

static void test_v1(void **state)
{
	const char *from = "/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us";

	(void)state;
	put_proc("4:memory:/x\n3:cpuset:/x\n1:cpuacct,cpu:/a/b\n",
	         "32 31 0:29 / /sys/fs/cgroup/cpuset rw - cgroup cgroup "
	         "rw,cpuset\n" V1_MOUNT);
	put("/sys/fs/cgroup/cpuset/a/b/cpu.cfs_quota_us", "1\n");
	put("/sys/fs/cgroup/cpuset/a/b/cpu.cfs_period_us", "1\n");
	put("/sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_quota_us", "-1\n");
	put("/sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_period_us", "100000\n");
	expect(0, NULL);
	put("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "170000\n");
	expect(0, NULL); /* no period */
	put("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "50000\n");
	expect(4, from);
}

static void test_hybrid(void **state)
{
	(void)state;
	put_proc("1:cpu,cpuacct:/a\n0::/u\n", V1_MOUNT
	         "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
	put("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "400000\n");
	put("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
	expect(4, "/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us");
	put("/sys/fs/cgroup/unified/u/cpu.max", "200000 100000\n");
	expect(2, "/sys/fs/cgroup/unified/u/cpu.max");
}

/* A container that sees the host's names, but only its own part of the tree. */
static void test_mounted_part(void **state)
{
	(void)state;
	put_proc("0::/docker/abc/sub\n",
	         "30 23 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n");
	put("/sys/fs/cgroup/sub/cpu.max", "500000 100000\n");
	put("/sys/fs/cgroup/cpu.max", "200000 100000\n");
	expect(2, "/sys/fs/cgroup/cpu.max");
	put_proc("0::/docker/abcd\n",
	         "30 23 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n");
	expect(0, NULL); /* another container's */
}

/* Paths that begin at the top of a cgroup namespace, and leave it. */
static void test_namespaces(void **state)
{
	(void)state;
	put("/sys/fs/cgroup/cpu.max", "200000 100000\n");
	put("/sys/fs/cgroup/other/cpu.max", "100000 100000\n");
	put_proc("0::/\n", V2_MOUNT);
	expect(2, "/sys/fs/cgroup/cpu.max");
	put_proc("0::/../other\n", V2_MOUNT);
	expect(0, NULL); /* beside what is mounted */
	put_proc("0::/..\n", V2_MOUNT);
	expect(0, NULL);
	put_proc("0::/../other\n",
	         "30 23 0:26 /.. /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
	expect(1, "/sys/fs/cgroup/other/cpu.max");
	put_proc("0::/\n", "30 23 0:26 /../.. /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
	expect(2, "/sys/fs/cgroup/cpu.max"); /* somewhere below, so the top holds */
	put_proc("0::/\n",
	         "30 23 0:26 /../other /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
	expect(0, NULL);
}

static void test_malformed_is_no_limit(void **state)
{
	static const char *const texts[] = {
		"",
		"\n",
		"max\n",
		"200000\n",
		"200000 \n",
		"-1 100\n",
		"0 100\n",
		"100 0\n",
		"two hundred\n",
		"1e5 100\n",
		"200 100x\n",
		" 2 1\n",
		"2.5 1.0\n",
		"99999999999999999999 1\n",
	};

	(void)state;
	put_proc("0::/a\n", V2_MOUNT);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		put("/sys/fs/cgroup/a/cpu.max", texts[i]);
		expect(0, NULL);
	}
	put("/sys/fs/cgroup/a/cpu.max", "5000000000 1\n"); /* more than fits */
	expect(0, NULL);
	put("/sys/fs/cgroup/a/cpu.max", "200000 100000\n");
	put_proc("0:\n\nnonsense\n0::/a\n", "\n1 2 3\n1 2 3 4 5 - cgroup2\n" V2_MOUNT);
	expect(2, "/sys/fs/cgroup/a/cpu.max");
	put_proc("0::/a\n", "1 2 0:1 / /x rw - cgroup\n1 2 - cgroup cgroup cpu\n");
	expect(0, NULL);
}

static void test_blanks_and_long_lines(void **state)
{
	static char mounts[16384];
	size_t n = 0;

	(void)state;
	for (int i = 0; i < 40; i++) /* lines across the ends of buffers */
		n += (size_t)snprintf(mounts + n, sizeof mounts - n,
		                      "%d 1 0:1 / /m%d rw - tmpfs tmpfs rw,%0*d\n", i, i,
		                      i == 20 ? 6000 : 150, 0);
	snprintf(mounts + n, sizeof mounts - n,
	         "9 1 0:1 / /my\\040groups rw - cgroup2  rw\n");
	put_proc("0::/a b\n", mounts);
	put("/my groups/a b/cpu.max", "200000 100000\n");
	expect(2, "/my groups/a b/cpu.max");
}

static void test_processors(void **state)
{
	cpu_set_t before, one;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
	assert_int_equal(filch__cpus_read(&cpus, ""), 0);
	assert_int_equal(cpus.affinity, CPU_COUNT(&before));
	assert_true(cpus.online >= cpus.affinity);
	CPU_ZERO(&one);
	for (size_t i = 0; i < CPU_SETSIZE && !CPU_COUNT(&one); i++)
		if (CPU_ISSET(i, &before))
			CPU_SET(i, &one);
	assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
	assert_int_equal(filch__cpus_read(&cpus, root), 0);
	assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
	assert_int_equal(cpus.affinity, 1);
	assert_int_equal(filch__cpus_usable(&cpus), 1);
}

static void test_usable(void **state)
{
	(void)state;
	cpus = (struct filch__cpus){.online = 8, .affinity = 4};
	assert_int_equal(filch__cpus_usable(&cpus), 4);
	cpus.quota = 2;
	assert_int_equal(filch__cpus_usable(&cpus), 2);
	cpus.quota = 6;
	assert_int_equal(filch__cpus_usable(&cpus), 4);
}

static void test_long_root(void **state)
{
	char text[300];

	(void)state;
	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	assert_int_equal(filch__cpus_read(&cpus, text), -ENAMETOOLONG);
}

#define IN_TREE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TREE(test_no_files),
		IN_TREE(test_v2),
		IN_TREE(test_rounds_up),
		IN_TREE(test_ancestors),
		IN_TREE(test_a_level_without_files),
		IN_TREE(test_v1),
		IN_TREE(test_hybrid),
		IN_TREE(test_mounted_part),
		IN_TREE(test_namespaces),
		IN_TREE(test_malformed_is_no_limit),
		IN_TREE(test_blanks_and_long_lines),
		IN_TREE(test_processors),
		IN_TREE(test_usable),
		cmocka_unit_test(test_long_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
