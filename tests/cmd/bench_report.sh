# SPDX-License-Identifier: MIT
# filch bench report: from rows that were kept, the page has every figure with plot, headline, findings and
# commands, is well-formed, and needs nothing from elsewhere; it measures, goes on where a run fails, ends with a page
# when it is interrupted, and refuses wrong calls. In a browser, if there is one, it is readable.
set -eu
# It has no threads of its own, and what it runs is tested by itself.
if grep -q '^FILCH_SANITIZE:STRING=thread' "$FILCH_BUILD/CMakeCache.txt"; then exit 77; fi
filch=$FILCH_BUILD/filch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rows=tests/cmd/report/rows.json
python=/usr/bin/python3
[ -x $python ] || python=python3
if ! $python -c 'import jinja2, matplotlib'; then
	echo "left out: there is no python3-jinja2 or no python3-matplotlib (tools/setup)"
	exit 77
fi

"$filch" bench report --list >"$work/list"
mkdir "$work/plots"
"$filch" bench report --from $rows --output "$work/page.html" --words "$work/words.md" --plots "$work/plots" >"$work/out"
[ "$(cat "$work/out")" = "$work/page.html" ]
python3 - "$work/page.html" "$work/list" "$work/words.md" "$work/plots" <<'PYTHON'
import html.parser, os, re, sys, xml.etree.ElementTree as xml
page, listed, words = (open(name).read() for name in sys.argv[1:4])
ids = re.findall(r'^(\d{3}-\S+|envelope)  ', listed, re.M)
wanted = ['000-10', '000-11', '000-12', '000-table2', *(f'001-5.{i}' for i in range(2, 13)),
          '003-5.2', '003-5.3', '003-5.4', '004-4', '004-5', '004-7', '004-8', 'envelope']
assert ids == wanted, ids
assert listed.count(' s  filch bench ') > 25 and re.search(r'^about \d+ minutes', listed, re.M)

class Balance(html.parser.HTMLParser):
    open, void = [], {'meta', 'br'}
    def handle_starttag(self, tag, attrs):
        if tag not in self.void:
            self.open.append(tag)
        for name, value in attrs:
            assert name not in ('src', 'srcset', 'style', 'onclick'), (tag, name)
            assert name != 'href' or value.startswith('#f'), value
    def handle_endtag(self, tag):
        assert self.open.pop() == tag, (tag, self.getpos())
balance = Balance()
balance.feed(page)
assert not balance.open, balance.open
assert not re.search(r'https?:|url\(|@import|<script|<link|<img', page)
assert 'a &lt;processor&gt; &amp; &#34;more&#34;' in page
assert 'prefers-color-scheme:dark' in page and 'name="viewport"' in page

for figure in ids:
    part = re.search(rf'<section id="f{figure}">(.*?)</section>', page, re.S).group(1)
    charts = re.findall(r'<svg.*?</svg>', part, re.S)
    assert charts and 'Nothing was measured' not in part, figure
    files = [f'{sys.argv[4]}/{figure}{n}.svg' for n in ['', *(f'-{n}' for n in range(2, len(charts) + 1))]]
    for chart, file in zip(charts, files, strict=True):
        text = open(file).read()
        assert xml.fromstring(text).tag == '{http://www.w3.org/2000/svg}svg' and 'prefers-color-scheme' in text, file
        assert chart.partition('>')[2] in text, file
    for chart in charts:
        tree = xml.fromstring(chart)
        assert len(tree.findall('text')) >= 3 and len(tree.findall('rect') + tree.findall('path')) >= 2, figure
        assert not re.search(r'nan|inf\b', chart), figure
    assert '<li>' in part and '<td>' in part, figure
    of_paper = figure != 'envelope'
    assert bool(re.search(r'<b>Paper:</b> \w.{60}', part)) == ('<b>What is different:</b>' in part) == of_paper, figure
    assert re.search(r'<code>(filch bench|verify/run) .*</code>', part) and 'commit ' in part, figure
    assert '<b>failed' not in part and '<b>was not run' not in part and 'Not measured' not in part, figure
    assert f'href="#f{figure}"' in page, figure
    name = re.search(r'<h3>(.*?):', part).group(1)
    said = r'Paper: .*\n\nHere:\n\n' if of_paper else ''
    assert re.search(rf'^### {name}: .*\n\n{said}- ', words, re.M), figure
    if not of_paper:  # two maps of 176 numbers and their colours
        assert [len(re.findall(r'class="v"', chart)) for chart in charts] == [176, 176]
        assert [len(re.findall(r'fill="var\(--h[0-5]\)"', chart)) for chart in charts] == [176, 176]
assert len(os.listdir(sys.argv[4])) == page.count('<svg ')
print(len(ids), 'figures')
PYTHON

# Of several files the median counts; one that is no such file is refused.
sed 's/"bench":"owner","impl":"abp",\(.*\)"value":[0-9.e+]*/"bench":"owner","impl":"abp",\1"value":0.001/' $rows >"$work/other"
"$filch" bench report --from $rows --from "$work/other" --only 001-5.2 --output "$work/two.html" >"$work/out"
grep -q 'stroke="var(--range)"' "$work/two.html"
grep -q 'id="f001-5.2"' "$work/two.html"
if grep -q 'stroke="var(--range)"' "$work/page.html" || grep -q 'id="f001-5.3"' "$work/two.html"; then exit 1; fi

# The ideal is explained where it is surpassed, and a program that does not wait is not compared with itself.
sed 's/\("impl":"bwos_lifo","to":"ideal_lifo",.*"value":\)[0-9.e+]*/\11.99/' $rows >"$work/above"
"$filch" bench report --from "$work/above" --only 000-10 --output "$work/above.html" --words "$work/above.md" >"$work/out"
grep -q '^- BWoS: 1\.99 of the ideal without stealing\. The ideal is a plain stack' "$work/above.md"
grep -q '<li>BWoS: 1\.99 of the ideal without stealing\. The ideal is a plain stack' "$work/above.html"
grep -q '^- BWoS: 0\.77 of the ideal without stealing$' "$work/words.md"
if grep 'times the ideal when all compute' "$work/words.md" "$work/page.html"; then exit 1; fi

# What of a figure is not there is named, once.
grep -v '"impl":"tbb@[12]"' $rows >"$work/without"
"$filch" bench report --from "$work/without" --only 004-8 --output "$work/page2.html" --words "$work/words2.md" >"$work/out"
grep -q 'Not measured here: oneTBB\.<' "$work/page2.html"
grep -q '^Not measured: oneTBB\.$' "$work/words2.md"

# $1: what is said; then the options.
refused() {
	said=$1
	shift
	code=0
	(cd "$work/empty" && "$filch" bench report "$@" >"$work/out" 2>"$work/err") || code=$?
	[ "$code" = 2 ]
	grep -q -e "$said" "$work/err"
	[ ! -s "$work/out" ]
	[ -z "$(ls "$work/empty")" ]
}
mkdir "$work/empty"
echo '{"suite":"queue"}' >"$work/wrong"
: >"$work/nothing"
refused 'unknown option.*--nonsense' --nonsense
refused 'one or the other' --quick --full
refused "there is no '001-5.1'" --only 001-5.1
refused "there is no ''" --only ''
refused 'only options' queue
refused 'not with --rows' --from "$work/wrong" --rows x
refused 'cannot read' --from "$work/nosuchfile"
refused 'wrong:1: not what --rows writes' --from "$work/wrong"
refused 'nothing is empty' --from "$work/nothing"
sed '1s/commit [0-9a-f]*/commit 1/' $rows >"$work/commit"
refused 'commit is of another machine, compiler, commit' --from "$PWD/$rows" --from "$work/commit"
refused 'cannot write nosuch/page.html' --output nosuch/page.html --from "$work/wrong"
refused 'cannot write nosuch/plot.svg' --plots nosuch --from "$work/wrong"
refused 'cannot write nosuch/rows' --only 001-5.2 --rows nosuch/rows

# Without what draws the page, one sentence says what to install, and nothing is measured.
mkdir "$work/without_matplotlib"
echo 'raise ImportError("none", name="matplotlib")' >"$work/without_matplotlib/matplotlib.py"
code=0
PYTHONPATH=$work/without_matplotlib "$filch" bench report --only 001-5.2 --output "$work/none.html" 2>"$work/err" || code=$?
[ $code = 1 ]
[ "$(cat "$work/err")" = \
	"filch bench report: matplotlib is missing; please install python3-matplotlib and python3-jinja2" ]
[ ! -e "$work/none.html" ]

# It measures; what it kept gives the same page.
"$filch" bench report --only 001-5.2 --rows "$work/rows" --output "$work/one.html" >"$work/out" 2>"$work/err"
grep -q '^\[1/1\] about .* left: filch bench queue' "$work/err"
"$filch" bench report --only 001-5.2 --from "$work/rows" --output "$work/again.html" >"$work/out"
cmp "$work/one.html" "$work/again.html"
[ "$(grep -o '<path [^>]*fill="var(--c[0-7])"' "$work/one.html" | wc -l)" = 4 ]

# Rows that cannot be kept are told, and the page is there all the same.
code=0
"$filch" bench report --only 001-5.2 --rows /dev/full --output "$work/full.html" >"$work/out" 2>"$work/err" || code=$?
[ $code = 1 ]
grep -q 'cannot write all of /dev/full' "$work/err"
grep -q '<svg ' "$work/full.html"

# A run that fails: away from its sources there is no table 2. The page is there all the same.
mkdir -p "$work/away/bin" "$work/away/libexec/filch"
cp "$filch" "$work/away/bin/filch"
code=0
"$work/away/bin/filch" bench report --list 2>"$work/err" || code=$?
[ $code = 1 ]
grep -q 'please install Filch again' "$work/err"
cp -r bench/report "$work/away/libexec/filch/filch-bench-report"
code=0
"$work/away/bin/filch" bench report --only 000-table2 --output "$work/failed.html" >"$work/out" 2>"$work/err" || code=$?
[ $code = 1 ]
grep -q 'needs the sources' "$work/err"
grep -q '<b>failed:</b> needs the sources' "$work/failed.html"

# Interrupted: what there is.
"$filch" bench report --only 003 --rows "$work/some" --output "$work/some.html" >"$work/out" 2>"$work/err" &
for _ in $(seq 600); do
	[ "$(cat "$work/some" 2>/dev/null | wc -l)" -lt 3 ] || break
	sleep 0.1
done
kill -TERM $!
code=0
wait $! || code=$?
[ $code = 143 ]
grep -q 'interrupted' "$work/err"
grep -q '<b>failed:</b> interrupted' "$work/some.html"
grep -q '<b>was not run</b>' "$work/some.html"
if grep -q mapreduce500 "$work/some"; then exit 1; fi # it was not waited for

chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$chromium" ]; then
	echo "not looked at in a browser: there is no chromium (tools/setup browser)"
else
	timeout 120 python3 tests/cmd/report/browser.py "$chromium" "$work/page.html"
fi
echo "the report is complete"
