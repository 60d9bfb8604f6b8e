# SPDX-License-Identifier: MIT
# A build with FILCH_USDT has all its probes, where tracers look for them.
set -eu
echo '#include <sys/sdt.h>' | "$CC" -fsyntax-only -xc - 2>/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for source in $(grep -rl --include='*.c' filch__probe_ src); do
	"$CC" -std=c17 -O2 -D_GNU_SOURCE -DFILCH_USDT -Wall -Wextra -Wundef -Wshadow -Wconversion -Werror -Iinclude -Isrc \
		-c "$source" -o "$work/${source//\//_}.o"
done
readelf -n "$work"/*.o | awk '/Provider:/ { provider = $2 } /Name:/ { print provider ":" $2 }' | sort -u >"$work/found"
printf 'filch:%s\n' idle inbox run steal stop task task_end | diff - "$work/found"
echo "all probes are there"
