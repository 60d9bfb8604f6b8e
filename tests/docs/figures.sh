# SPDX-License-Identifier: MIT
# The figures are what docs/figures/draw draws, are well-formed, and are all shown by the design. Those that
# filch bench report has drawn from measurements are shown by the page on performance.
set -eu
again=$(mktemp -d)
trap 'rm -rf "$again"' EXIT
docs/figures/draw "$again"
by_report='Drawn by filch bench report'
diff <(ls "$again") <(cd docs/figures && grep -L "$by_report" -- *.svg)
for name in $(cd docs/figures && grep -l "$by_report" -- *.svg || true); do
	python3 -c 'import sys, xml.dom.minidom as dom; dom.parse(sys.argv[1])' "docs/figures/$name"
	grep -q "](figures/$name)" docs/performance.md || { echo "docs/performance.md does not show $name" >&2; exit 1; }
done
for figure in "$again"/*.svg; do
	name=$(basename "$figure")
	cmp "$figure" "docs/figures/$name" || { echo "run docs/figures/draw" >&2; exit 1; }
	python3 -c 'import sys, xml.dom.minidom as dom; dom.parse(sys.argv[1])' "$figure"
	grep -q "](figures/$name)" docs/design.md || { echo "docs/design.md does not show $name" >&2; exit 1; }
done
