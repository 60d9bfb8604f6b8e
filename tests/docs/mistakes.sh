#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Mistakes that a compiler finds: what it prints first says what to do. Each compiler that is there is
# asked, for C and for C++.
set -euo pipefail
cd "$(dirname "$0")/../.."
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT
failed=0 asked=0

no_task='plain__is_no_task__define_it_by_FILCH_TASK'
many='FILCH_TASK_has_8_parameters_at_most__pass_a_struct'
pair='FILCH__parameters_are_in_parentheses__type_comma_name'
no_spawn='x__is_not_spawned__use_FILCH_SPAWN_within_braces'
braces="FILCH_SPAWN_needs_braces_around_it|$no_spawn"

# The compilers, each with its language.
compilers() {
	local c
	for c in "${CC:-gcc}" gcc clang; do
		command -v "${c%% *}" >/dev/null && echo "$c -xc -std=c17"
	done
	for c in g++ clang++; do
		command -v "$c" >/dev/null && echo "$c -xc++ -std=c++17"
	done
}

# source DECLARATIONS STATEMENTS: a program with a task f, and plain, which is none.
source() {
	cat <<END
#include <filch.h>
#include <filch/future.h>
static int plain(int n) { return n; }
FILCH_STATIC_TASK(int, f, (int, n)) { return plain(n); }
$1
int main(void)
{
	struct filch_group g;
	struct filch_future *p = 0;
	int n = FILCH_RUN(f, 0), y = 0;
	filch_group_begin(&g);
	$2
	return n + y + !p + filch_group_wait(&g);
}
END
}

# compile NAME: compiles $t/NAME.c by $compiler. The messages are in $t/said.
compile() {
	# shellcheck disable=SC2086
	LC_ALL=C $compiler -Iinclude -fsyntax-only "$t/$1.c" >"$t/said" 2>&1
}

# mistake MESSAGE DECLARATIONS STATEMENTS: the message is in the first lines that are said: in the first
# error, or, where g++ first notes that a function is no variable, in the second.
mistake() {
	source "$2" "$3" >"$t/mistake.c"
	asked=$((asked + 1))
	if compile mistake; then
		echo "mistakes: $compiler compiles it: $2 $3" >&2
		failed=1
	elif ! grep -A 14 -m 1 'error:' "$t/said" | grep -qE "$1"; then
		echo "mistakes: $compiler says something else than $1:" >&2
		head -12 "$t/said" >&2
		failed=1
	fi
}

while read -r compiler; do
	source '' 'FILCH_SPAWN(x, f, 1); y += FILCH_JOIN(x);' >"$t/right.c"
	compile right || { cat "$t/said" >&2; exit 1; }

	mistake "$many" 'FILCH_TASK(int, h, (int, a), (int, b), (int, c), (int, d), (int, e), (int, i), (int, j), (int, k), (int, l)) { return a; }' ''
	mistake "$many" 'FILCH_TASK_VOID_DECL(h, (int, a), (int, b), (int, c), (int, d), (int, e), (int, i), (int, j), (int, k), (int, l));' ''
	mistake "$pair" 'FILCH_TASK(int, h, int a) { return a; }' ''
	mistake "$pair" 'FILCH_STATIC_TASK_VOID(h, (int, a), long b) { (void)a; }' ''
	mistake "$pair" 'FILCH_TASK_VOID(h, long b) { (void)b; }' ''
	mistake "$pair" 'FILCH_TASK_DECL(int, h, const char *a);' ''

	mistake "$braces" '' 'if (n) FILCH_SPAWN(x, f, n);'
	mistake "$braces" '' 'if (n) y = 1; else FILCH_SPAWN(x, f, n);'
	mistake "$braces" '' 'for (int i = 0; i < n; i++) FILCH_SPAWN(x, f, n);'
	mistake "$braces" '' 'while (n--) FILCH_SPAWN(x, f, n);'

	mistake "$no_spawn" '' 'y = FILCH_JOIN(x);'
	mistake "$no_spawn" '' 'int x = 1; y = FILCH_JOIN(x);'
	mistake "$no_task" '' 'FILCH_SPAWN(x, plain, 1); y = FILCH_JOIN(x);'
	mistake "$no_task" '' 'y = FILCH_CALL(plain, 1);'
	mistake "$no_task" '' 'y = FILCH_RUN(plain, 1);'
	mistake "$no_task" '' 'y = FILCH_RUN_ON((struct filch_pool *)0, plain, 1);'
	mistake "$no_task" '' 'FILCH_GROUP_SPAWN(&g, plain, 1);'
	mistake "$no_task" '' 'p = FILCH_GO(plain, 1);'
	mistake "$no_task" '' 'y = FILCH_AWAIT(plain, p);'
	mistake "$no_task" '' 'y = FILCH_RESULT(plain, p);'
	mistake "$no_task" '' 'FILCH_FRAME(plain) part[1];'
	mistake "$no_task" '' 'FILCH_FRAME(f) part[1]; FILCH_SPAWN_AT(&part[0], plain, 1);'
	mistake "$no_task" '' 'FILCH_FRAME(f) part[1]; FILCH_SPAWN_AT(&part[0], f, 1); y = FILCH_JOIN_AT(&part[0], plain);'
done < <(compilers | sort -u)

if [ "$asked" = 0 ]; then
	echo "mistakes: there is no compiler" >&2
	exit 77
fi
echo "mistakes: $asked looked at"
exit "$failed"
