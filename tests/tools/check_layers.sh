# SPDX-License-Identifier: MIT
# tools/check-layers passes on the tree as it is, and catches each kind of planted fault.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

tools/check-layers

# expect FILE LINE PATTERN: with LINE added to FILE, the copy must be refused.
expect() {
	rm -rf "$work/src" "$work/cmd"
	cp -r src cmd "$work"
	mkdir -p "$(dirname "$work/$1")"
	echo "$2" >>"$work/$1"
	if tools/check-layers "$work" >"$work/out" || ! grep -qE "$3" "$work/out"; then
		echo "not caught: $2 in $1"
		cat "$work/out"
		exit 1
	fi
	echo "caught: $2 in $1"
}

expect src/queue/block.h '#include "sched/victim.h"' 'queue includes sched/victim.h'
expect src/base/cpu.h '#include "queue/queue.h"' 'base includes queue/queue.h'
expect src/fiber/stack.c '#include "queue/queue.h"' 'fiber includes queue/queue.h'
expect src/trace/json.c '#include "sched/worker.h"' 'trace includes sched/worker.h'
expect src/watch/text.c '#include "sched/worker.h"' 'watch includes sched/worker.h'
expect src/sched/victim.c '#include "bench/bench.h"' 'no layer of src'
expect src/strand/shelf.c '#include "sched/call.h"' 'strand includes sched/call.h'
expect src/queue/order.c '#include <pthread.h>' 'no system or threads'
expect src/queue/order.c 'static _Thread_local int x;' 'no thread-local storage'
expect src/misc/x.c 'int x;' 'src/misc is not a layer'
expect cmd/dupes/walk.c '#include "base/atomic.h"' 'walk.c:[0-9]*: the command includes base/atomic.h'
expect cmd/top/link.c '#include <watch/place.h>' 'the command includes watch/place.h'
expect cmd/serve/body.h '#include "cmd/dupes/json.h"' 'the command includes cmd/dupes/json.h'
expect cmd/bench.c '#include "base/cpu.h"' 'the command includes base/cpu.h'
expect cmd/info.c '#include "pool/options.h"' 'the command includes pool/options.h'
