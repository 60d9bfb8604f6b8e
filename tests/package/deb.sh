# SPDX-License-Identifier: MIT
# The Debian packages are built, lintian finds no errors, and a program is compiled and run with what is in them.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$FILCH_BUILD/CMakeCache.txt")
[ "$(dpkg-parsechangelog -S Version)" = "$version-1" ]

make -s deb
for package in libfilch1 libfilch-dev filch; do
	dpkg-deb -x build-deb/${package}_"$version"-1_*.deb "$work/root"
done
cd "$work"
libraries=$(dirname root/usr/lib/*/libfilch.so.1)
export LD_LIBRARY_PATH=$PWD/$libraries PKG_CONFIG_LIBDIR=$libraries/pkgconfig PKG_CONFIG_SYSROOT_DIR=$PWD/root
[ "$(root/usr/bin/filch --version)" = "filch $version" ]
[ -e root/usr/share/man/man1/filch.1.gz ]
root/usr/bin/filch bench report --from "$OLDPWD/tests/cmd/report/rows.json" --output page.html >/dev/null
grep -q '<svg ' page.html
[ -e root/usr/share/doc/libfilch-dev/docs/tutorial.md ]
source=$OLDPWD/tests/package/program.c
for language in c c++; do
	compiler=gcc
	[ $language = c ] || compiler="g++ -x c++"
	$compiler -O2 -Wall -Wextra -Werror "$source" -x none $(pkg-config --cflags --libs filch) -o program
	[ "$(./program)" = "${language^} $version" ]
done
gcc -O2 -Wall -Wextra -Werror "${source%program.c}queue.c" $(pkg-config --cflags --libs filch) -o queue
[ "$(./queue)" = "200000 entries" ]

cat >CMakeLists.txt <<CMAKE
cmake_minimum_required(VERSION 3.16)
project(program C)
find_package(Filch $version REQUIRED)
foreach(library filch filch_static)
  add_executable(with_\${library} $source)
  target_link_libraries(with_\${library} Filch::\${library})
endforeach()
CMAKE
env -u PKG_CONFIG_LIBDIR -u PKG_CONFIG_SYSROOT_DIR cmake -S . -B build -DCMAKE_PREFIX_PATH="$PWD/root/usr" >/dev/null
cmake --build build >/dev/null
for library in filch filch_static; do
	[ "$(build/with_$library)" = "C $version" ]
done
