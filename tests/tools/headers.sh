# SPDX-License-Identifier: MIT
# Every header can be included alone, and twice: the public ones from C11, C17 and C++17 with no flags, the others
# as the sources see them.
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
for header in include/filch.h include/filch/*.h; do
	for standard in c11 c17; do alone "${CC:-cc}" "${header#include/}" -std=$standard -xc; done
	n=$((n + 1))
done
if command -v g++ >/dev/null; then
	for header in include/filch.h include/filch.hpp include/filch/*.h include/filch/cxx/*.hpp; do
		alone g++ "${header#include/}" -std=c++17 -xc++
		n=$((n + 1))
	done
fi
for header in src/*/*.h cmd/*.h cmd/*/*.h; do
	alone "${CC:-cc}" "${header#src/}" -std=c17 -xc -D_GNU_SOURCE -Isrc -I.
	n=$((n + 1))
done
echo "$n headers stand alone"
