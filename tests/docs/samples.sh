# SPDX-License-Identifier: MIT
# Every sample of the documents prints what the .txt beside it says, and every block of code in
# the documents is a part of such a file, or of an example.
set -eu
ulimit -c 0
# The default pool is not ended, and a helper thread of it that has gone home is joined then.
export TSAN_OPTIONS="report_thread_leaks=0 ${TSAN_OPTIONS-}"
failed=0

wrong() {
	echo "$1" >&2
	failed=1
}

# runs SOURCE: the program made of it, and its output; mistakes tell theirs on stderr, and die.
runs() {
	local text=${1%.c}.txt name=${1#docs/samples/} status=0 output
	name=${name%.c}
	local program=$FILCH_BUILD/samples/${name/\//_}
	[ -e "$text" ] || { wrong "$text is missing"; return; }
	case $name in
	mistakes/*)
		output=$( (timeout -s KILL 100 "$program" 2>&1 >/dev/null) ) || status=$?
		output=$(grep '^filch: ' <<<"$output") # the shell has a word to say, too
		[ $status -gt 128 ] || wrong "$1: ended with $status, not by a signal"
		;;
	*)
		output=$(timeout -s KILL 100 "$program" 2>/dev/null) || status=$?
		[ $status = 0 ] || wrong "$1: ended with $status"
		;;
	esac
	diff "$text" - <<<"$output" || wrong "$1: prints something else (>) than $text has (<)"
}

for source in docs/samples/*/*.c; do
	case $source in */openmp.c | */cilk.c) continue ;; esac # tests/docs/coming_from.sh
	runs "$source"
done
python3 tests/docs/blocks.py || failed=1
exit $failed
