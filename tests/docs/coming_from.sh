# SPDX-License-Identifier: MIT
# The program of docs/coming-from.md prints the same in each language and runtime that is there;
# what is not there is said, and left out.
set -eu
cd docs/samples/coming-from
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags="-O2 -Wall -Wextra -Werror"

# same NAME COMPILER ARGUMENTS...: what is compiled so prints what NAME.txt says.
same() {
	echo "$1"
	$2 -o "$work/$1" "${@:3}"
	diff "$1.txt" <("$work/$1")
}

same openmp gcc -std=c17 $flags -fopenmp openmp.c
if echo 'int main(void) { return 0; }' | clang -fopencilk -xc - -o "$work/empty" 2>/dev/null; then
	same cilk clang -std=c17 $flags -fopencilk cilk.c
else
	echo "no Cilk compiler is there: the serial elision instead"
	same cilk gcc -std=c17 $flags -DSERIAL cilk.c
fi
if command -v g++ >/dev/null; then
	sanitize=$(sed -n 's/^FILCH_SANITIZE:STRING=//p' "$FILCH_BUILD/CMakeCache.txt")
	counts=$(sed -n 's/^FILCH_COVERAGE:BOOL=ON/-lgcov/p' "$FILCH_BUILD/CMakeCache.txt")
	same filch_cxx g++ -std=c++17 $flags ${sanitize:+-fsanitize=$sanitize} -I ../../../include \
		filch_cxx.cc "$FILCH_BUILD/libfilch.a" -lhwloc -luring -lpthread $counts
else
	echo "filch_cxx: left out, g++ is not there"
fi
if command -v g++ >/dev/null && pkg-config --exists tbb; then
	same tbb g++ -std=c++17 $flags tbb.cc $(pkg-config --cflags --libs tbb)
else
	echo "tbb: left out, libtbb-dev is not there"
fi
if command -v go >/dev/null; then
	export GOCACHE=$work/cache GO111MODULE=off
	same go "go build" go.go
	same go_pipeline "go build" go_pipeline.go
else
	echo "go: left out, golang-go is not there"
fi

# No file here that nobody has compiled.
for file in *.*; do
	case ${file%.*} in
	openmp | cilk | tbb | go | go_pipeline | filch_cxx | filch | filch_pipeline) ;;
	*) echo "$file: nobody compiles it; see tests/docs/coming_from.sh" >&2 && exit 1 ;;
	esac
done

# And each of them is to print what Filch does.
for name in openmp cilk tbb go filch_cxx; do
	diff filch.txt "$name.txt"
done
diff filch_pipeline.txt go_pipeline.txt
