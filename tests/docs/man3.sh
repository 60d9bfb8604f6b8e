# SPDX-License-Identifier: MIT
# The pages of sections 3 and 7: every public name is in one of them, prototypes are the headers',
# examples compile and run; and a name finds its page when they are installed.
set -eu
for page in man/*.[37]; do
	mandoc -Tlint -W warning "$page"
done
python3 tests/docs/man3.py

installed=$(mktemp -d)
trap 'rm -rf "$installed"' EXIT
tools/man-links man "$installed" >"$installed/names"
[ "$(cat "$installed/filch_mutex_lock.3")" = ".so man3/filch_mutex.3" ]
[ "$(cat "$installed/filch::sort.3")" = ".so man3/filch_cxx.3" ]
[ "$(LC_ALL=C sort "$installed/names")" = "$(cd "$installed" && find . -name '*.3' | sed 's|./||' | LC_ALL=C sort)" ] || {
	echo "man-links prints other names than it writes" >&2
	exit 1
}
[ ! -e "$installed/filch_for.3" ] # a page of its own

# Bad calls say so, and change nothing.
for bad in "" "man" "man $installed/none" "$installed/none $installed" "tools $installed"; do
	# shellcheck disable=SC2086
	if tools/man-links $bad >/dev/null 2>"$installed/said"; then
		echo "man-links $bad: not refused" >&2
		exit 1
	else
		[ $? = 2 ]
	fi
	grep -q '^man-links: ' "$installed/said"
done
