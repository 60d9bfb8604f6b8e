# SPDX-License-Identifier: MIT
# Tasks, groups and strands are clean under Valgrind: it knows of the stacks, and the search for
# records, which reads what nobody wrote, says so; and so does the ring, whose results the kernel writes where
# Valgrind does not see it. (Sanitizer builds do not run under it.)
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

python3 -c 'import sys; sys.stdout.buffer.write(bytes(i * 7 % 256 for i in range(65536)))' >"$FILCH_BUILD/valgrind.data"
"$FILCH_BUILD/tests/cmd_valgrind" "$FILCH_BUILD/valgrind.data" || [ $? = 77 ] || exit 1
code=0
valgrind -q --error-exitcode=9 "$FILCH_BUILD/tests/cmd_valgrind" "$FILCH_BUILD/valgrind.data" >/dev/null 2>"$FILCH_BUILD/valgrind.txt" || code=$?
case $code in
0) echo "io_uring: clean" ;;
77) echo "io_uring: not checked, since there is none" ;;
*)
	cat "$FILCH_BUILD/valgrind.txt"
	exit 1
	;;
esac
