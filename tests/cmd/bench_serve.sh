# SPDX-License-Identifier: MIT
# filch bench serve: every row that the suite promises is there and is JSON, with its unit. The suite itself checks
# that answers are right. Without nginx or wrk it says what is missing.
set -eu
filch=$FILCH_BUILD/filch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$filch" bench serve --list >"$work/list"
for row in c100 c1000 c10000 64k 1m; do
	for impl in filch@1 filch@2 nginx@1; do
		grep -q "^serve/$row $impl\$" "$work/list"
	done
done
"$filch" bench serve --help >"$work/out"
grep -q '^examples:' "$work/out"

found() {
	for folder in /usr/bin /usr/sbin /usr/local/bin /usr/local/sbin; do
		if [ -x "$folder/$1" ]; then return 0; fi
	done
	return 1
}
if ! found wrk || ! found nginx; then
	"$filch" bench serve --quick --filter '^c100 nginx' >"$work/out" 2>"$work/err" || true
	grep -q 'make peers' "$work/err"
	echo "nginx or wrk is missing, and that is said"
	exit 0
fi

"$filch" bench serve --json --quick --rounds 1 --filter '^(c100|64k) ' >"$work/rows"
# Each 'bench impl to metric unit' is there; "-": none.
python3 - "$work/rows" \
	'c100 filch@1 - throughput 1/s' 'c100 filch@1 - p99 us' 'c100 filch@1 - cpu us' 'c100 filch@1 - memory MiB' \
	'c100 nginx@1 - throughput 1/s' 'c100 nginx@1 - p99 us' 'c100 filch@2 - throughput 1/s' \
	'c100 filch@1 nginx@1 speedup -' 'c100 filch@1 nginx@1 overhead -' \
	'64k filch@1 nginx@1 speedup -' '64k filch@1 nginx@1 overhead -' <<'PYTHON'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
have = [(r['bench'], r['impl'], r.get('to', '-'), r['metric'], r.get('unit') or '-') for r in rows]
assert len(set(have)) == len(have), 'a row is there twice'
for r in rows:
    assert r['suite'] == 'serve' and r['value'] >= 0, r
for want in sys.argv[2:]:
    assert tuple(want.split()) in have, 'no row ' + want
print(len(rows), 'rows')
PYTHON
# Nothing is left behind.
if ls -d /tmp/filch-bench-serve-* 2>/dev/null | grep .; then exit 1; fi
echo "every row is there"
