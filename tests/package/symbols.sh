# SPDX-License-Identifier: MIT
# The shared library exports what the public headers declare, and nothing else; src/filch.map says so.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# declared [OPTION...]: the functions that the headers declare and the compiler does not see the body of.
declared() {
	(cd include && printf '#include <%s>\n' filch.h filch/*.h) | grep -v '_template\.h\|\.inc\.h' >"$work/all.c"
	echo '#include <filch/sort_template.h>' >>"$work/all.c"
	gcc -std=c11 -Iinclude "$@" -aux-info "$work/aux" -fsyntax-only "$work/all.c"
	grep '/\* include/' "$work/aux" | grep -v ' static ' | grep -oE '\bfilch_[a-z0-9_]+ \(' | tr -d ' ('
}
# queues: of the queues' headers, the public functions, and of the others those that inline functions call.
queues() {
	local made=$FILCH_BUILD/include
	(cd "$made" && printf '#include <%s>\n' filch/queue/*.h) >"$work/queues.c"
	gcc -std=c11 -I"$made" -aux-info "$work/aux" -fkeep-inline-functions -c "$work/queues.c" -o "$work/queues.o"
	grep -v ' static ' "$work/aux" | grep -oE '\bfilch_[a-z0-9][a-z0-9_]+ \(' | tr -d ' ('
	nm -u "$work/queues.o" | grep -oE '\bfilch_\w+'
}
{
	declared
	declared -DFILCH_OUT_OF_LINE
	queues
	printf '%s\n' filch__debug{,_io,_task} # variables, the latter for debuggers
} | LC_ALL=C sort -u >"$work/declared"
[ "$(wc -l <"$work/declared")" -gt 150 ]

grep -oE '^	filch_[a-z0-9_]+;$' src/filch.map | tr -d '\t;' | LC_ALL=C sort >"$work/map"
diff "$work/declared" "$work/map" || {
	echo "src/filch.map (>) and the public headers (<) differ" >&2
	exit 1
}

library=$FILCH_BUILD/libfilch.so
nm -D --defined-only "$library" | awk '$2 != "A" { print $3 }' | LC_ALL=C sort >"$work/exported"
diff <(sed 's/$/@@FILCH_1/' "$work/map") "$work/exported" || {
	echo "src/filch.map (<) and what the library exports (>) differ" >&2
	exit 1
}
readelf -d "$library" | grep -q 'SONAME.*\[libfilch\.so\.1\]'
readelf -d "$library" | grep -q 'NODELETE'
echo "$(wc -l <"$work/map") symbols"
