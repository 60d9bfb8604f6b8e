# SPDX-License-Identifier: MIT
# The pages of section 1 are well-formed, have examples, and name just the options that --help names.
set -eu
filch=$FILCH_BUILD/filch
failed=0

wrong() {
	echo "$1" >&2
	failed=1
}

# options: the long options in a text, a line each.
options() { grep -oE -- '--[a-z][a-z-]+' | sort -u; }

# text PAGE: as plain text.
text() { mandoc -Tascii "$1" | sed 's/.\x08//g'; }

# page NAME COMMAND...: man/NAME.1 and what the command says of itself.
page() {
	local page=man/$1.1 help
	shift
	mandoc -Tlint -W warning "$page" || wrong "$page: mandoc finds fault with it"
	for section in EXAMPLES "EXIT STATUS" "SEE ALSO"; do
		[ "$(text "$page" | grep -c "^$section")" = 1 ] || wrong "$page: no section $section"
	done
	grep -q '^\.Xr filch 7' "$page" || wrong "$page: does not mention filch(7)"
	help=$("$filch" "$@" --help)
	diff <(options <<<"$help") <(text "$page" | options) ||
		wrong "$page: other options than 'filch $* --help' has (<)"
	[ "$1" = bench ] || grep -qi '^examples' <<<"$help" || wrong "filch $* --help: no examples"
}

mandoc -Tlint -W warning man/filch.1
page filch-bench bench
page filch-bench-gc bench gc
page filch-bench-json bench json
page filch-bench-report bench report
page filch-dupes dupes
page filch-serve serve
[ ! -x "$FILCH_BUILD/filch-sim" ] || page filch-sim sim
page filch-top top
for page in man/*.1; do
	name=$(basename "$page" .1)
	[ "$name" = filch ] || grep -q "^\.Xr $name 1" man/filch.1 || wrong "filch(1) does not mention $name(1)"
done
exit $failed
