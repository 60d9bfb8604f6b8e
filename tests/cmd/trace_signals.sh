# SPDX-License-Identifier: MIT
# FILCH_TRACE: the file is there also when a signal ends the program, when it aborts or crashes; and a program that
# hangs writes it when it is asked by SIGUSR2, and goes on. A signal that the program ignores stays ignored.
set -eu
program=$FILCH_BUILD/tests/cmd_trace_signals
[ -x "$program" ] || exit 77
work=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill -9 $pid 2>/dev/null || true; rm -rf "$work"' EXIT
ulimit -c 0
export FILCH_TRACE=$work/out.json FILCH_WORKERS=2
sanitized=
if nm "$program" | grep -qE ' __(asan|tsan)_'; then sanitized=yes; fi

start() { # start PART: begins the program, and waits until it is ready
	rm -f "$work"/out* "$work/said"
	"$program" "$1" >"$work/said" 2>"$work/err" &
	pid=$!
	ready
}
ready() { # waits until the program is ready; it must not end before that
	until grep -q ready "$work/said" 2>/dev/null; do
		if ! kill -0 "$pid" 2>/dev/null; then
			grep -q ready "$work/said" && return
			echo "the program ended before it was ready; it said:"
			cat "$work/said" "$work/err"
			exit 1
		fi
		sleep 0.05
	done
}
ended() { # ended CODE: the program has ended so, and the trace is there
	local got=0
	wait "$pid" 2>/dev/null || got=$?
	pid=
	if [ "$got" != "$1" ]; then
		echo "the program ended with $got, not $1; it said:"
		cat "$work/err"
		exit 1
	fi
	holds
	[ -z "$(find "$work" -name '*.tmp-*')" ] || { ls "$work"; exit 1; }
}
holds() {
	python3 tests/cmd/trace.py "$work/out.json" "names['work_a_while'] > 0" "len(workers) == 2"
}

for signal in TERM HUP; do # not INT: a shell has its background ignore that
	start hang
	kill -$signal "$pid"
	ended $((128 + $(kill -l $signal)))
done
# A sanitizer has handlers of its own for these.
if [ -z "$sanitized" ]; then
	start abort
	ended 134
	start crash
	ended 139
fi

# Asked twice, it goes on, and its end replaces the file once more.
start hang
for i in 1 2; do
	rm -f "$work/out.json"
	kill -USR2 "$pid"
	until [ -f "$work/out.json" ]; do sleep 0.05; done
	holds
	kill -0 "$pid"
done
kill -TERM "$pid"
ended 143

# Ignored, as under nohup.
rm -f "$work"/out* "$work/said"
(
	trap '' HUP
	exec "$program" hang >"$work/said" 2>"$work/err"
) &
pid=$!
ready
kill -HUP "$pid"
sleep 0.3
kill -0 "$pid"
kill -TERM "$pid"
ended 143
