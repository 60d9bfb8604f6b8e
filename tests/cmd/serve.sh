# SPDX-License-Identifier: MIT
# filch serve: what it answers to what, what it refuses, and how it stops. Raw sockets, so that clients may be
# as wrong as they like.
set -eu
filch=$FILCH_BUILD/filch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# refused PATTERN ARGUMENT...: a wrong call says what is wrong, exits with 2 and does nothing.
refused() {
	local pattern=$1 code=0
	shift
	timeout 20 "$filch" serve "$@" >"$work/out" 2>"$work/err" || code=$?
	if [ $code != 2 ] || ! grep -q -- "$pattern" "$work/err" || [ -s "$work/out" ]; then
		echo "filch serve $*: exit code $code, and it said:"
		cat "$work/out" "$work/err"
		exit 1
	fi
}
refused "--port does not take '65536'" --port 65536
refused "--port does not take 'x'" --port x
refused "--workers does not take '0'" --workers 0
refused "--max-header does not take '100'" --max-header 100
refused "--max-body does not take '1X'" --max-body 1X
refused "--max-body does not take '17179869184G'" --max-body 17179869184G
refused "--idle does not take '0'" --idle 0
refused "--index does not take '../x'" --index ../x
refused "unknown option, or an option without its value: '--nothing'" --nothing
refused "unknown option, or an option without its value: '--port'" --port
refused "one directory at a time, please; also given: 'b'" a b
"$filch" serve --help >"$work/out"
grep -q '^examples:' "$work/out"
# What cannot be had is another matter.
failed() {
	local pattern=$1 code=0
	shift
	timeout 20 "$filch" serve "$@" >"$work/out" 2>"$work/err" || code=$?
	if [ $code != 1 ] || ! grep -q -- "$pattern" "$work/err"; then
		echo "filch serve $*: exit code $code, and it said:"
		cat "$work/out" "$work/err"
		exit 1
	fi
}
failed "cannot serve '$work/none': No such file" "$work/none"
failed "cannot listen on 'localhost': not a numeric address" --address localhost "$work"
failed "cannot write the log '$work/none/log'" --log "$work/none/log" "$work"
mkfifo "$work/fifo"
failed "cannot write the log '$work/fifo'" --log "$work/fifo" "$work" # that nobody reads

export FILCH="$filch" WORK="$work"
exec python3 "$(dirname "$0")/serve.py"
