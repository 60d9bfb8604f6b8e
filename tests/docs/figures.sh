# SPDX-License-Identifier: MIT
# The figures are what docs/figures/draw draws, are well-formed, and are all shown by the design.
set -eu
again=$(mktemp -d)
trap 'rm -rf "$again"' EXIT
docs/figures/draw "$again"
diff <(ls "$again") <(cd docs/figures && ls -- *.svg)
for figure in "$again"/*.svg; do
	name=$(basename "$figure")
	cmp "$figure" "docs/figures/$name" || { echo "run docs/figures/draw" >&2; exit 1; }
	python3 -c 'import sys, xml.dom.minidom as dom; dom.parse(sys.argv[1])' "$figure"
	grep -q "](figures/$name)" docs/design.md || { echo "docs/design.md does not show $name" >&2; exit 1; }
done
