# SPDX-License-Identifier: MIT
# tools/setup is silent when all is there, installs as root, and otherwise says what to run.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# stub NAME BODY: a stand-in for a command, found first.
stub() {
	printf '#!/bin/sh\n%s\n' "$2" >"$work/$1"
	chmod +x "$work/$1"
}
export PATH="$work:$PATH"

[ -z "$(tools/setup)" ]

code=0
tools/setup nonsense 2>"$work/err" || code=$?
[ $code = 2 ]
grep -q "no group 'nonsense'" "$work/err"

# Libraries missing, no root and no sudo: one line to run, nothing installed.
stub pkg-config 'exit 1'
stub apt-get 'echo "apt-get $*" >>'"$work"'/installed'
stub id 'echo 1000'
stub sudo 'exit 1'
code=0
tools/setup 2>"$work/err" || code=$?
[ $code = 1 ]
[ ! -e "$work/installed" ]
grep -q "sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends libhwloc-dev liburing-dev libcmocka-dev libxxhash-dev libjansson-dev'" \
	"$work/err"

# Who only builds needs nothing that is there for the tests.
code=0
tools/setup build 2>"$work/err" || code=$?
[ $code = 1 ]
grep -q 'libhwloc-dev liburing-dev libxxhash-dev' "$work/err"
if grep -q cmocka "$work/err"; then exit 1; fi

# A group brings its own.
stub aarch64-linux-gnu-gcc 'exit 0'
stub qemu-aarch64 'exit 0'
code=0
PATH="$work:/bin:/usr/bin" tools/setup clang aarch64 2>"$work/err" || code=$?
[ $code = 1 ]
if grep -q 'gcc-aarch64\|qemu' "$work/err"; then exit 1; fi
stub clang 'exit 1'
code=0
tools/setup peers 2>"$work/err" || code=$?
[ $code = 1 ]
grep -q 'libcmocka-dev.* libtbb-dev.* libomp-dev' "$work/err"
rm "$work/clang"

# As root: the same line is run.
stub id 'echo 0'
tools/setup >"$work/out"
grep -q 'apt-get update' "$work/installed"
grep -q 'apt-get install -y --no-install-recommends libhwloc-dev liburing-dev libcmocka-dev libxxhash-dev libjansson-dev' "$work/installed"

# With a sudo that asks for no password: likewise, through it.
rm "$work/installed"
stub id 'echo 1000'
stub sudo 'shift; [ "$1" = true ] && exit 0; shift; exec "$@"'
tools/setup >"$work/out"
grep -q 'apt-get install' "$work/installed"
