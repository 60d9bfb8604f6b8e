# SPDX-License-Identifier: MIT
# `make install`, and programs outside the tree that use what it has installed: in C and C++, shared and static,
# found by hand, by pkg-config, by CMake's find_package, as a subproject, and loaded at run time.
set -eu
source=$PWD
work=$(mktemp -d)
trap 'cd "$source"; rm -rf "$work"; cmake --preset install >/dev/null' EXIT # with its own prefix again
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$FILCH_BUILD/CMakeCache.txt")
cp tests/package/program.c tests/package/host.c tests/package/queue.c "$work"
cp "$work/program.c" "$work/program.cc"
entries='200000 entries' # what queue.c says
step() { echo "--- $*"; }

# says LANGUAGE COMMAND...: the program prints that and the version.
says() {
	local expected="$1 $version"
	shift
	[ "$("$@")" = "$expected" ] || {
		echo "$*: it should have printed '$expected'" >&2
		exit 1
	}
}

step "make install, into a folder for packagers; make uninstall"
make -s install DESTDIR="$work/stage" PREFIX=/opt/filch >/dev/null
for file in include/filch.h include/filch.hpp include/filch/cxx/loop.hpp include/filch/detail/define.h \
	include/filch/queue/bwos_lifo.h include/filch/queue/detail/block.h lib/libfilch.a lib/libfilch.so.1 \
	lib/pkgconfig/filch.pc lib/cmake/Filch/FilchConfig.cmake bin/filch share/man/man1/filch.1 \
	share/man/man3/filch_mutex_lock.3 share/man/man7/filch.7 \
	share/doc/filch/README.md share/doc/filch/docs/README.md share/doc/filch/docs/figures/lifo.svg; do
	[ -e "$work/stage/opt/filch/$file" ] || { echo "not installed: $file" >&2; exit 1; }
done
cmp README.md "$work/stage/opt/filch/share/doc/filch/README.md"
if grep -rIl "$work" "$work/stage"; then exit 1; fi # DESTDIR is nowhere written down
make -s uninstall DESTDIR="$work/stage"
if find "$work/stage" ! -type d | grep .; then exit 1; fi
if find "$work/stage" -name '*ilch' -path '*/opt/filch/*' | grep .; then exit 1; fi

step "make install, below a prefix"
if make -s install PREFIX=relative 2>"$work/said"; then exit 1; fi
grep -q 'PREFIX is to be an absolute path' "$work/said"
prefix=$work/prefix
make -s install PREFIX="$prefix" >/dev/null
cd "$work"
[ "$("$prefix/bin/filch" --version)" = "filch $version" ]
"$prefix/bin/filch" bench app --list >/dev/null 2>missing
for peer in openmp libomp tbb; do
	if [ -e "$FILCH_BUILD/filch-bench-$peer" ] && grep "^$peer: not built" missing; then exit 1; fi
done
"$prefix/bin/filch" bench report --from "$source/tests/cmd/report/rows.json" --output page.html >/dev/null
grep -q '<svg ' page.html
export LD_LIBRARY_PATH=$prefix/lib PKG_CONFIG_PATH=$prefix/lib/pkgconfig
strict='-O2 -Wall -Wextra -Werror'

step "by hand"
for std in c11 gnu17; do
	gcc -std=$std $strict -I"$prefix/include" program.c -L"$prefix/lib" -lfilch -o by_hand
	says C ./by_hand
done
for std in c++17 c++20; do
	g++ -std=$std $strict -I"$prefix/include" program.cc -L"$prefix/lib" -lfilch -o by_hand
	says C++ ./by_hand
done
readelf -d by_hand | grep -q 'NEEDED.*libfilch\.so\.1'
if readelf -d by_hand | grep 'NEEDED.*\(hwloc\|uring\)'; then exit 1; fi

step "pkg-config, shared and static"
pkg-config --cflags filch | grep -q -e -fstack-clash-protection
gcc $strict program.c $(pkg-config --cflags --libs filch) -o shared
says C ./shared
[ "$(pkg-config --modversion filch)" = "$version" ]
cp -r "$prefix" "$work/moved"
[ "$(PKG_CONFIG_PATH=$work/moved/lib/pkgconfig pkg-config --define-prefix --variable=libdir filch)" = "$work/moved/lib" ]
static=$(pkg-config --static --cflags --libs filch | sed 's/-lfilch/-l:libfilch.a/')
gcc $strict program.c $static -o static
g++ $strict program.cc $static -o static_cxx
unset LD_LIBRARY_PATH
says C ./static
says C++ ./static_cxx
if readelf -d static | grep 'NEEDED.*filch'; then exit 1; fi

step "the queues by themselves, shared and static"
for std in c11 gnu17; do
	gcc -std=$std $strict -Wpedantic queue.c $(pkg-config --cflags --libs filch) -Wl,-rpath,"$prefix/lib" -o queue
	[ "$(./queue)" = "$entries" ]
done
# Without the libraries that the runtime calls, so nothing of it has come along.
gcc $strict queue.c -I"$prefix/include" "$prefix/lib/libfilch.a" -lpthread -o queue_static
[ "$(./queue_static)" = "$entries" ]
nm queue_static | grep -q ' filch_bwos_lifo_steal$'
if nm queue_static | grep -E ' filch_+(pool|worker|strand|spawn|fork)'; then exit 1; fi

step "a module in a program that knows nothing of Filch"
gcc $strict host.c -o host
gcc $strict -DMODULE -fPIC -shared program.c $(pkg-config --cflags --libs filch) -Wl,-rpath,"$prefix/lib" -o module.so
[ "$(./host ./module.so)" = "C $version
C $version" ]

# cmake_builds FOLDER TEXT OPTION...: a project that gets Filch as TEXT says, and its programs.
cmake_builds() {
	local folder=$1 text=$2
	shift 2
	mkdir "$folder"
	cat >"$folder/CMakeLists.txt" <<-CMAKE
		cmake_minimum_required(VERSION 3.22)
		project(stranger C CXX)
		set(CMAKE_CXX_STANDARD 17)
		$text
		add_compile_options(-Wall -Wextra -Wpedantic -Werror)
		foreach(kind \${LIBRARIES})
		  add_executable(c_\${kind} ../program.c)
		  target_link_libraries(c_\${kind} PRIVATE Filch::\${kind})
		  add_executable(cxx_\${kind} ../program.cc)
		  target_link_libraries(cxx_\${kind} PRIVATE Filch::\${kind})
		  add_executable(queue_\${kind} ../queue.c)
		  target_link_libraries(queue_\${kind} PRIVATE Filch::\${kind})
		endforeach()
		get_directory_property(tests TESTS)
		if(tests OR TARGET filch_cmd OR TARGET unit_task_macros OR TARGET example_fib)
		  message(FATAL_ERROR "more than the library has come along")
		endif()
	CMAKE
	cmake -S "$folder" -B "$folder/build" "$@" >"$folder/log" 2>&1 &&
		cmake --build "$folder/build" -j2 >>"$folder/log" 2>&1 || {
		cat "$folder/log"
		return 1
	}
}

step "find_package, shared and static"
cmake_builds found "find_package(Filch ${version%.*} REQUIRED COMPONENTS static)
set(LIBRARIES filch filch_static)" -DCMAKE_PREFIX_PATH="$prefix"
says C found/build/c_filch
says C++ found/build/cxx_filch
says C found/build/c_filch_static
says C++ found/build/cxx_filch_static
[ "$(found/build/queue_filch)" = "$entries" ]
[ "$(found/build/queue_filch_static)" = "$entries" ]
readelf -d found/build/c_filch | grep -q 'NEEDED.*libfilch\.so\.1'
if readelf -d found/build/c_filch_static | grep 'NEEDED.*libfilch'; then exit 1; fi

step "find_package, without what the static library needs"
if PKG_CONFIG_LIBDIR=/nowhere cmake_builds without "find_package(Filch REQUIRED COMPONENTS static)" \
	-DCMAKE_PREFIX_PATH="$prefix" >said; then exit 1; fi
grep -q 'static library needs' said
PKG_CONFIG_LIBDIR=/nowhere cmake_builds shared_only "find_package(Filch REQUIRED)
set(LIBRARIES filch)" -DCMAKE_PREFIX_PATH="$prefix"
says C shared_only/build/c_filch

step "a subproject"
cmake_builds sub "add_subdirectory($source filch)
set(LIBRARIES filch)"
says C sub/build/c_filch
says C++ sub/build/cxx_filch
[ "$(sub/build/queue_filch)" = "$entries" ]

step "a subproject of a project that is strict, has modules and hides what it can"
cmake_builds strict "add_compile_options(-Wall -Wextra -Wpedantic -Wcast-qual -Wredundant-decls -Werror)
add_subdirectory($source filch)
set(LIBRARIES filch)
add_library(module MODULE ../program.c)
target_compile_definitions(module PRIVATE MODULE)
target_link_libraries(module PRIVATE Filch::filch)" -DCMAKE_POSITION_INDEPENDENT_CODE=ON
says C strict/build/c_filch
[ "$(./host strict/build/libmodule.so)" = "C $version
C $version" ]
cmake_builds hidden "set(CMAKE_C_VISIBILITY_PRESET hidden)
add_subdirectory($source filch)
set(LIBRARIES filch)" -DBUILD_SHARED_LIBS=ON
says C hidden/build/c_filch
[ "$(hidden/build/queue_filch)" = "$entries" ]
