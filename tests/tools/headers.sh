# SPDX-License-Identifier: MIT
# Every header can be included alone, and twice: the public ones from C11, C17 and C++17 with no flags, those of the
# queues from C11 and C17, the others as the sources see them.
set -eu
flags='-fsyntax-only -Wall -Wextra -Wundef -Wshadow -Wconversion -Werror'

# alone COMPILER HEADER FLAG...: compiles nothing but the header.
alone() {
	local compiler=$1 header=$2
	shift 2
	case $header in # some need to be told for what
	*_template.h | *.inc.h | fiber/switch_*.h | queue/each.h | queue/select.h) return ;;
	esac
	printf '#include "%s"\n#include "%s"\nint main(void) { return 0; }\n' "$header" "$header" |
		"$compiler" $flags -Iinclude "$@" - || { echo "not by itself: $header ($*)"; exit 1; }
}

n=0
for header in include/filch.h include/filch/*.h include/filch/detail/*.h; do
	for standard in c11 c17; do alone "${CC:-cc}" "${header#include/}" -std=$standard -xc; done
	n=$((n + 1))
done
if command -v g++ >/dev/null; then
	for header in include/filch.h include/filch.hpp include/filch/*.h include/filch/detail/*.h include/filch/cxx/*.hpp; do
		alone g++ "${header#include/}" -std=c++17 -xc++
		n=$((n + 1))
	done
fi

# The headers of the queues, made by the build. Whoever includes one gets no names but Filch's and the C library's.
made=$FILCH_BUILD/include
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
standard='assert pthread stdalign stdatomic stdbool stddef stdint'
printf '#include <%s.h>\n' $standard | "${CC:-cc}" -E -dM -std=c11 -xc - | LC_ALL=C sort >"$work/standard"
for header in "$made"/filch/queue/*.h "$made"/filch/queue/detail/*.h; do
	name=${header#"$made"/}
	for compiler in "${CC:-cc}" clang; do
		command -v "$compiler" >/dev/null || continue
		for standard in c11 c17; do alone "$compiler" "$name" -std=$standard -xc -Wpedantic -I"$made"; done
	done
	echo "#include <$name>" >"$work/one.c"
	"${CC:-cc}" -E -dM -std=c11 -I"$made" "$work/one.c" | LC_ALL=C sort | LC_ALL=C comm -13 "$work/standard" - >"$work/macros"
	# Functions, structures, types and constants are at the left margin, or in the braces of an enumeration.
	"${CC:-cc}" -E -std=c11 -I"$made" "$work/one.c" | awk -v own="$made/" '
		/^# [0-9]/ { mine = index($3, "\"" own) == 1; next }
		!mine { next }
		/^(struct|enum|union)[^;(]*\{/ { print $2; list = $1 == "enum"; next }
		/^\}/ { list = 0 }
		list { print $1 }
		/^typedef/ { print $NF; next }
		/^[a-z].*\(/ && !/^_Static_assert/ { sub(/\(.*/, ""); print $NF }
	' | sed 's/^[*]*//; s/[;,]$//' >"$work/names"
	[ "$(wc -l <"$work/names")" -gt 0 ] || [ "$name" = filch/queue/detail/atomic.h ]
	if sed 's/^#define //' "$work/macros" "$work/names" | grep -vE '^(filch_|FILCH_)'; then
		echo "a name that does not begin with filch: $name" >&2
		exit 1
	fi
	n=$((n + 1))
done
if command -v g++ >/dev/null; then
	g++ -fsyntax-only -std=c++17 -I"$made" -xc++ - <<<'#include <filch/queue/runq.h>' 2>"$work/said" && exit 1
	[ "$(grep -c error: "$work/said")" = 1 ] # they are for C, and say so in one sentence
	grep -q 'error.*for C alone' "$work/said"
fi
# With the sources' own headers, and the runtime's, in any order.
for order in '<filch.h> <filch/queue/bwos_lifo.h> "queue/chase_lev.h" "base/atomic.h"' \
	'"base/atomic.h" "queue/chase_lev.h" <filch/queue/bwos_lifo.h> <filch/queue/chase_lev.h> <filch.h>'; do
	printf '#include %s\n' $order | "${CC:-cc}" $flags -std=c11 -xc -Iinclude -I"$made" -Isrc -
done

for header in src/*/*.h; do
	alone "${CC:-cc}" "${header#src/}" -std=c17 -xc -D_GNU_SOURCE -Isrc
	n=$((n + 1))
done
for header in cmd/*.h cmd/*/*.h; do # without src/: the command uses public headers
	alone "${CC:-cc}" "$header" -std=c17 -xc -D_GNU_SOURCE -I.
	n=$((n + 1))
done
echo "$n headers stand alone"
