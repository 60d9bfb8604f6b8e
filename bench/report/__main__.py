# SPDX-License-Identifier: MIT
"""usage: filch bench report [OPTION...]

Runs the suites and writes one page with what the papers on work stealing plot,
measured here: plots, numbers, the papers' own headlines, machine and commands.

  --quick         small sizes, some minutes (the default)
  --full          the suites' own sizes, three times over, some hours
  --only FIGURE   only this figure ('001-5.3') or this paper's ('001'); may be
                  given several times
  --output FILE   the page (filch-report.html)
  --rows FILE     also keep what was measured, one JSON object a line
  --words FILE    also write what the page says in words, as Markdown
  --plots FOLDER  also write the plots there, as FIGURE.svg, FIGURE-2.svg ...
  --from FILE     measure nothing, and draw what --rows has kept; of several
                  files, which must be of one machine and commit, the median counts
  --list          name the figures, their commands and the time they take
  --help          this text

Ctrl-C ends it; the page then has what was measured until then. What fails is
named in the page, and the exit code is 1. Peers that are not installed are left
out ('make peers' installs them); table 2 needs the sources, and 'make verify'.
The page is drawn by python3-matplotlib and python3-jinja2.

Examples:
  filch bench report
  filch bench report --full --rows rows.json --output report.html
  filch bench report --only 000-10 --only 004
  filch bench report --from rows.json --words results.md
"""
import getopt
import os
import signal
import sys
import tempfile

import measure
from figures import PAPERS, RUNS
from rows import Rows, absent, findings, grid, runs_of, text


def refuse(message, code=2):
    print(f'filch bench report: {message}', file=sys.stderr)
    sys.exit(code)


def wrong(message):
    """A call that cannot be meant; nothing is written."""
    refuse(f"{message}\nTry 'filch bench report --help'.")


def parse(arguments):
    """The options: lists of --only and --from, the last of the others."""
    given = {'only': [], 'from': [], 'output': 'filch-report.html'}
    try:
        found, rest = getopt.gnu_getopt(arguments, '', [
            'quick', 'full', 'only=', 'output=', 'rows=', 'words=', 'plots=', 'from=', 'list', 'help'])
    except getopt.GetoptError as error:
        wrong(f"unknown option, or an option without its value: '{'-' if len(error.opt) == 1 else '--'}{error.opt}'")
    for name, value in ((name[2:], value) for name, value in found):
        if name in ('only', 'from'):
            given[name].append(value)
        else:
            given[name] = value
        if {'quick', 'full'} <= given.keys():
            wrong('--quick and --full: one or the other, please')
        if name == 'only' and not any(chosen(figure, [value]) for paper in PAPERS for figure in paper['figures']):
            wrong(f"--list names the figures; there is no '{value}'")
    if rest:
        wrong(f"only options, please, not '{rest[0]}'")
    if given['from'] and {'rows', 'quick', 'full'} & given.keys():
        wrong('--from measures nothing: not with --rows, --quick or --full')
    return given


def chosen(figure, only):
    """The figure, or the paper that it is from."""
    return not only or figure['id'] in only or figure['id'].partition('-')[0] in only


def show_list(papers, full):
    for figure in (figure for paper in papers for figure in paper['figures']):
        print(f'{figure["id"]}  {figure["name"]}: {figure["title"]}')
        for run in RUNS:
            if run in runs_of(figure):
                print(f'    {RUNS[run][2][full]:4} s  {measure.command(run, full)}')
    seconds = measure.PASSES[full] * sum(RUNS[run][2][full] for run in needed(papers))
    print(f'about {seconds / 60 + 0.5:.0f} minutes in all{", each command three times" if full else ""}')


def needed(papers):
    used = set().union(*(runs_of(figure) for paper in papers for figure in paper['figures']))
    return [run for run in RUNS if run in used]


def write(path, what=None):
    """Beside the file, which stays as it is until all is written. With nothing to write: tells whether one could."""
    try:
        descriptor, beside = tempfile.mkstemp(prefix=os.path.basename(path) + '.', dir=os.path.dirname(path) or '.')
        try:
            with open(descriptor, 'w', encoding='utf-8') as file:
                os.fchmod(descriptor, 0o644)
                file.write(what or '')
            if what:
                os.replace(beside, path)
        finally:
            if os.path.exists(beside):
                os.unlink(beside)
    except OSError as error:
        refuse(f'cannot write {path}: {error.strerror}', 1 if what else 2)


def view(figure, rows, svg):
    """What the templates show of a figure."""
    full = rows.machine.get('set') == 'full'
    charts = []
    for chart in figure['charts']:
        values = grid(chart, rows)
        charts.append(chart | {'svg': svg(chart, values), 'table': [
            (point, [text(value) if value else '' for value in row]) for point, row in zip(chart['points'], values)]})
    uses = runs_of(figure)
    ends = [rows.ends.get(run, {'command': measure.command(run, full), 'error': None}) for run in RUNS if run in uses]
    return figure | {'charts': charts, 'findings': list(findings(figure, rows)), 'absent': absent(figure, rows), 'ends': ends}


def take(given, papers, rows, program, version, compiler):
    """Reads or measures the rows. Returns the exit code."""
    full = 'full' in given
    try:
        for path in given['from']:
            rows.read(path)
        if given['from']:
            return 0
        rows.keep = open(given['rows'], 'wb', buffering=0) if 'rows' in given else None
    except ValueError as error:
        refuse(error)
    except OSError as error:
        refuse(f'cannot {"read" if given["from"] else "write"} {error.filename}: {error.strerror}')
    rows.take(measure.machine(full, version, compiler))
    code = measure.measure(needed(papers), full, rows, program)
    if rows.lost:
        print(f'filch bench report: cannot write all of {given["rows"]}', file=sys.stderr)
    return code or int(rows.lost)


def main(program, version, compiler, *arguments):
    for number in signal.SIGINT, signal.SIGPIPE:
        signal.signal(number, signal.SIG_DFL)
    given = parse(arguments)
    if 'help' in given:
        return print(__doc__, end='')
    papers = [paper | {'figures': [figure for figure in paper['figures'] if chosen(figure, given['only'])]}
              for paper in PAPERS]
    papers = [paper for paper in papers if paper['figures']]
    if 'list' in given:
        return show_list(papers, 'full' in given)
    try:  # before hours of measuring
        import jinja2
        from plot import alone, svg
    except ImportError as error:
        refuse(f'{error.name} is missing; please install python3-matplotlib and python3-jinja2', 1)
    outputs = {given['output']: 'page.html.jinja'}
    if 'words' in given:
        outputs[given['words']] = 'words.md.jinja'
    for path in [*outputs, *([os.path.join(given['plots'], 'plot.svg')] if 'plots' in given else [])]:
        write(path)
    rows = Rows()
    code = take(given, papers, rows, program, version, compiler)
    templates = jinja2.Environment(loader=jinja2.FileSystemLoader(os.path.dirname(__file__)), trim_blocks=True,
                                   lstrip_blocks=True, keep_trailing_newline=True,
                                   autoescape=lambda name: name.startswith('page'))
    papers = [paper | {'figures': [view(figure, rows, svg) for figure in paper['figures']]} for paper in papers]
    for path, name in outputs.items():
        write(path, templates.get_template(name).render(papers=papers, machine=rows.machine))
    if 'plots' in given:
        style = templates.get_template('colours.css.jinja').render()
        for figure in (figure for paper in papers for figure in paper['figures']):
            for n, drawn in enumerate((chart['svg'] for chart in figure['charts']), 1):
                if drawn:
                    name = figure['id'] + (f'-{n}' if n > 1 else '') + '.svg'
                    write(os.path.join(given['plots'], name), alone(drawn, style))
    print(given['output'])
    return code


sys.exit(main(*sys.argv[1:]))
