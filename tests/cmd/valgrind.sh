# SPDX-License-Identifier: MIT
# Tasks, groups and strands are clean under Valgrind: it knows of the stacks, and the search for
# records, which reads what nobody wrote, says so. (Sanitizer builds do not run under it.)
set -eu
command -v valgrind >/dev/null || exit 77
if nm "$FILCH_BUILD/tests/unit_task_macros" | grep -qE ' __(asan|tsan)_'; then exit 77; fi
for test in unit_task_macros unit_task_group unit_fiber_switch; do
	valgrind -q --error-exitcode=9 --suppressions=tests/cmd/valgrind.supp "$FILCH_BUILD/tests/$test" >/dev/null 2>"$FILCH_BUILD/valgrind.txt" || {
		cat "$FILCH_BUILD/valgrind.txt"
		exit 1
	}
	echo "$test: clean"
done
