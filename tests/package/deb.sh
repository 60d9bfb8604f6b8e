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
for language in c c++; do
	g++ -x $language -O2 -Wall -Wextra -Werror "$OLDPWD/tests/package/program.c" -x none \
		$(pkg-config --cflags --libs filch) -o program
	[ "$(./program)" = "${language^} $version" ]
done
