# SPDX-License-Identifier: MIT
# filch bench dupes: every row is there and is JSON; programs that are not installed are left out with a
# message; the files are removed, also after an interrupt. The suite itself compares the sets found.
set -eu
filch=$FILCH_BUILD/filch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TMPDIR=$work

"$filch" bench dupes --list >"$work/list"
for bench in warm cold; do
	for impl in filch@2 filch@1 fdupes jdupes rdfind; do
		grep -q "^dupes/$bench $impl\$" "$work/list"
	done
done
"$filch" bench dupes --help | grep -q '^Examples:'

"$filch" bench dupes --quick --json >"$work/rows" 2>"$work/err"
cat "$work/err"
[ ! -s "$work/err" ] || grep -q "make peers\|only root\|FILCH_KINDS" "$work/err"
python3 - "$work/rows" "$work/err" <<'PYTHON'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
skipped = open(sys.argv[2]).read()
have = {(r['bench'], r['impl'], r.get('to', '-'), r['metric']): r['value'] for r in rows}
assert all(r['suite'] == 'dupes' and r['value'] > 0 for r in rows), rows
for bench in ['warm'] + (['cold'] if 'only root' not in skipped else []):
    peers = [p for p in ('fdupes', 'jdupes', 'rdfind') if bench + ' without ' + p not in skipped]
    for impl in ['filch@1', 'filch@2'] + peers:
        assert (bench, impl, '-', 'time') in have and (bench, impl, '-', 'rss') in have, (bench, impl)
    for impl in ['filch@1', 'filch@2'] if peers else []:
        assert (bench, impl, 'best_peer', 'speedup') in have and (bench, impl, 'best_peer', 'overhead') in have
kinds = 'FILCH_KINDS' not in skipped  # else this build has none
for queue in 'bwos_lifo@16', 'bwos_lifo@64', 'bwos_lifo@256', 'chase_lev', 'abp', 'locked':
    assert kinds == (('queues', queue, '-', 'time') in have), queue
assert kinds == (('queues', 'bwos_lifo@64', 'chase_lev', 'speedup') in have)
print(len(rows), 'rows')
PYTHON

# Without peers; one that lies is found out.
PATH=$work "$filch" bench dupes --quick --filter '^warm ' >"$work/out" 2>"$work/err"
for peer in fdupes jdupes rdfind; do
	grep -q "warm without $peer: it is not installed; 'make peers'" "$work/err"
done
mkdir "$work/bin"
printf '#!/bin/sh\nprintf "a\\nb\\n\\n"\n' >"$work/bin/jdupes"
chmod 755 "$work/bin/jdupes"
code=0
PATH=$work/bin:$PATH "$filch" bench dupes --quick --filter '^warm (filch@2|jdupes)' >"$work/out" 2>"$work/err" || code=$?
[ $code = 1 ]
grep -q 'warm jdupes: wrong answer' "$work/err"

# Interrupted while it makes the files, and while a program runs.
printf '#!/bin/sh\ntouch "%s/started"\nexec sleep 100\n' "$work" >"$work/bin/jdupes"
code=0
timeout -s INT 1 "$filch" bench dupes --filter '^warm filch@2' >"$work/out" 2>"$work/err" || code=$?
[ $code = 124 ]
PATH=$work/bin:$PATH "$filch" bench dupes --quick --filter '^warm (filch@2|jdupes)' >"$work/out" 2>"$work/err" &
for _ in $(seq 600); do
	[ ! -e "$work/started" ] || break
	sleep 0.1
done
kill -TERM $!
code=0
wait $! || code=$?
[ $code = 143 ]
if ls -d "$work"/filch-dupes-*; then exit 1; fi
echo "every row is there, and nothing is left behind"
