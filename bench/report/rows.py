# SPDX-License-Identifier: MIT
"""What the commands said: rows by name, and how each command ended. A file that was kept has it, one JSON object a line."""
import collections
import json
import statistics

Value = collections.namedtuple('Value', 'median least most')
FIELDS = 'run', 'bench', 'impl', 'to', 'metric'
SAME = 'set', 'processor', 'processors', 'compiler', 'version'  # of all the files that one page shows


class Rows:
    def __init__(self):
        self.values = collections.defaultdict(list)
        self.ends = {}  # by run: how it ended the last time
        self.machine = {}
        self.keep = None  # or a file without a buffer that each line goes to, too
        self.lost = False  # not all of them could be written

    def take(self, line):
        if 'report' in line:
            self.machine = self.machine or line
        elif 'command' in line:
            self.ends[line.get('run')] = line
        elif isinstance(line.get('value'), (int, float)):
            self.values[tuple(line.get(field) for field in FIELDS)].append(line['value'])
        try:
            if self.keep:
                self.keep.write(json.dumps(line, separators=(',', ':')).encode() + b'\n')
        except OSError:
            self.lost = True

    def read(self, path):
        """Adds a file that was kept. ValueError says what is wrong with it."""
        number = 0
        with open(path, encoding='utf-8', errors='replace') as file:
            for number, text in enumerate(file, 1):
                try:
                    line = json.loads(text)
                except ValueError:
                    line = None
                if not isinstance(line, dict) or (number == 1 and 'report' not in line):
                    raise ValueError(f"{path}:{number}: not what --rows writes; give a file that 'filch bench report "
                                     "--rows' has made")
                self.take(line)
                if 'report' in line and any(line.get(field) != self.machine.get(field) for field in SAME):
                    raise ValueError(f'{path} is of another machine, compiler, commit or set than the files before; '
                                     'give those of one only')
        if not number:
            raise ValueError(f'{path} is empty')

    def find(self, cell, per_operation=False):
        """The value of a row, or None. A bench may be made of other parts of the cell: '{kind}_{work}'. per_operation: ns,
        made of millions a second."""
        cell = cell | {'bench': cell['bench'].format(**cell)}
        found = self.values.get(tuple(cell.get(field) for field in FIELDS))
        if found and per_operation:
            found = min(found) > 0 and [1000 / value for value in found]
        return Value(statistics.median(found), min(found), max(found)) if found else None


def cell(text):
    """'run bench impl/to metric', or without /to."""
    run, bench, impl, metric = text.split()
    impl, _, to = impl.partition('/')
    return {'run': run, 'bench': bench, 'impl': impl, 'to': to or None, 'metric': metric}


def runs_of(figure):
    """The runs that the figure has rows of."""
    runs = {cell(found[1])['run'] for found in figure['findings']}
    for c in figure['charts']:
        runs |= {part['run'] for part in (c['cell'], *c['points'].values()) if 'run' in part}
    return runs


def number(value):
    """With three digits that count."""
    amount = abs(value)
    if amount >= 100 or amount == 0 or (amount >= 1 and value == int(value)):
        return f'{value:.0f}'
    return f'{value:.1f}' if amount >= 10 else f'{value:.2f}' if amount >= 0.1 else \
        f'{value:.4f}' if amount >= 0.001 else f'{value:.1e}'


def text(value):
    """'1.25', or '1.25 (1.1 to 1.3)' if it was measured several times."""
    least, most = number(value.least), number(value.most)
    return number(value.median) + (f' ({least} to {most})' if least != most else '')


def findings(figure, rows):
    """The sentences that have a number."""
    for sentence, name, *above in figure['findings']:
        if value := rows.find(cell(name)):
            yield sentence.replace('#', text(value)) + (f'. {above[0]}' if above and value.median > 1 else '')


def grid(c, rows):
    """The values of a chart: a list by series for each point."""
    return [[rows.find(c['cell'] | point | part, c['per_operation']) for _, _, part in c['series']]
            for point in c['points'].values()]


def absent(figure, rows):
    """The series of which a chart has nothing, while it has something of others."""
    names = {}
    for c in figure['charts']:
        has = [any(column) for column in zip(*grid(c, rows))]
        names |= {label: None for (label, _, _), any_of in zip(c['series'], has) if any(has) and not any_of}
    return ', '.join(names)
