# SPDX-License-Identifier: MIT
# filch top: what it shows of a program whose strands are known, who may look, and what it says otherwise; on a
# terminal, too. tests/cmd/top.c is the program.
set -eu
filch=$FILCH_BUILD/filch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# refused PATTERN ARGUMENT...: a wrong call says what is wrong, exits with 2 and does nothing.
refused() {
	local pattern=$1 code=0
	shift
	timeout 60 "$filch" top "$@" >"$work/out" 2>"$work/err" || code=$?
	if [ $code != 2 ] || ! grep -q -- "$pattern" "$work/err" || [ -s "$work/out" ]; then
		echo "filch top $*: exit code $code, and it said:"
		cat "$work/out" "$work/err"
		exit 1
	fi
}
refused "--interval does not take '0'" --interval 0 1
refused "--interval does not take '1s'" --interval 1s 1
refused "--interval does not take 'nan'" --interval nan 1
refused "unknown option, or an option without its value: '--nothing'" --nothing
refused "this is no process number: '-1'" -- -1
refused "this is no process number: '0'" 0
refused "this is no process number: 'x'" x
refused "this is no process number: '99999999999999999999'" 99999999999999999999
refused "one process at a time, please; also given: '2'" 1 2
refused "--once and --json need a process number" --once
"$filch" top --help >"$work/out"
grep -q '^examples:' "$work/out"

export FILCH="$filch" SUBJECT="$FILCH_BUILD/tests/cmd_top" WORK="$work"
exec timeout 300 python3 "$(dirname "$0")/top.py"
