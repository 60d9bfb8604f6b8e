# SPDX-License-Identifier: MIT
"""A chart as SVG within the page, by matplotlib: 340 wide, about as wide as a phone, where its text keeps its size. Colours
and fonts are the page's, so that they change in the dark."""
import bisect
import io
import math
import xml.etree.ElementTree as xml

import matplotlib
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter, MaxNLocator

from rows import number

matplotlib.rcParams.update({'svg.fonttype': 'none', 'font.size': 12})
WIDTH = 340
# matplotlib is given colours that stand for variables of the page.
NAMES = [f'c{n}' for n in range(8)] + [f'h{n}' for n in range(6)] + ['rule', 'range', 'limit']
STANDS_FOR = {f'#0000{i:02x}': name for i, name in enumerate(NAMES, 1)}
COLOUR = {name: colour for colour, name in STANDS_FOR.items()}


def attributes(element):
    """Those that the page needs: style as attributes, without fonts, and colours of the page."""
    kept = {name: element.attrib[name] for name in ('x', 'y', 'd') if name in element.attrib}
    for rule in filter(None, element.get('style', '').split(';')):
        name, _, value = (part.strip() for part in rule.partition(':'))
        if name == 'font':
            kept |= {'class': 'h'} if '700' in value or 'bold' in value else {'class': 'v'} if 'italic' in value else {}
        else:
            kept[name] = f'var(--{STANDS_FOR[value]})' if value in STANDS_FOR else value
    return kept


def inline(figure, height, label):
    """The figure as an element of a page: shapes and text one after the other, with no names that another may have."""
    file = io.BytesIO()
    figure.savefig(file, format='svg', metadata={'Date': None})
    tree = xml.fromstring(file.getvalue())
    space, link = '{http://www.w3.org/2000/svg}', '{http://www.w3.org/1999/xlink}href'
    shapes = {'#' + path.get('id'): path for path in tree.iterfind(f'.//{space}defs//{space}path[@id]')}
    drawn = xml.Element('svg', viewBox=f'0 0 {WIDTH} {height:g}', role='img')
    drawn.set('aria-label', label)
    for element in tree.iter():
        kind = element.tag.removeprefix(space)
        if kind == 'use':  # a mark, drawn where it is used
            at = attributes(element)
            at |= {'d': shapes[element.get(link)].get('d'), 'transform': f'translate({at.pop("x")} {at.pop("y")})'}
            xml.SubElement(drawn, 'path', at)
        elif kind == 'text' or (kind == 'path' and element not in shapes.values()):
            xml.SubElement(drawn, kind, attributes(element)).text = element.text
    return xml.tostring(drawn, encoding='unicode')


def axes(height, left, right, top, bottom):
    figure = Figure(figsize=(WIDTH / 72, height / 72), dpi=72, frameon=False)
    ax = figure.add_axes((left / WIDTH, 1 - bottom / height, (right - left) / WIDTH, (bottom - top) / height), frame_on=False)
    ax.tick_params(length=0, pad=4)
    return figure, ax


def decades(least, most):
    low, high = (10 ** way(math.log10(value)) for way, value in ((math.floor, least), (math.ceil, most)))
    return low, max(high, 10 * low)


def bars(c, values, least, most):
    """They lie, with their names and values beside them."""
    heads, drawn, y = [], [], 0
    for point, row in zip(c['points'], values):
        if any(row) and len(c['points']) > 1:
            heads.append((y + 11, point))
            y += 20
        for (label, colour, _), value in zip(c['series'], row):
            if value:
                drawn.append((y + 7, label, COLOUR[f'c{colour}'], value))
                y += 16
    figure, ax = axes(y + 4, 122, 286, 0, y + 4)
    low = 0
    if 'y' in c['log']:
        ax.set_xscale('log')
        low = decades(least / 1.5, most)[0]
    ax.set(xlim=(low, most), ylim=(y + 4, 0))
    ax.set_axis_off()
    if c['mark'] and low < c['mark'] < most:
        ax.axvline(c['mark'], color=COLOUR['limit'], linewidth=1, linestyle=(0, (3, 3)))
    at_left = {'xycoords': ('figure fraction', 'data'), 'va': 'center', 'annotation_clip': False}
    for y, point in heads:
        ax.annotate(point, (0, y), weight='bold', **at_left)
    for y, label, colour, value in drawn:
        ax.annotate(label, (0, y), **at_left)
        ax.barh(y, max(value.median, low * 1.02 or most / 400) - low, 12, low, color=colour)
        if value.most > value.least:
            ax.plot([max(value.least, low), value.most], [y, y], color=COLOUR['range'], linewidth=1.5)
        ax.annotate(number(value.median), (max(value.most, low), y), (4, 0), textcoords='offset points', va='center',
                    annotation_clip=False)
    return figure, y + 11


def lines(c, values, least, most):
    """With marks of several shapes, since not everybody can tell the colours apart."""
    height = 196 + 17 * math.ceil(len(c['series']) / 2)
    figure, ax = axes(height, 44, 328, 8, 160)
    places = [float(label.replace('k', 'e3').replace('M', 'e6')) for label in c['points']]
    ax.set(xscale='log' if 'x' in c['log'] else 'linear', xlabel=c['x'], ylim=(0, most * 1.05))
    if 'y' in c['log']:
        ax.set(yscale='log', ylim=decades(least, most))
    else:
        ax.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    low = ax.get_ylim()[0]
    ax.yaxis.set_major_formatter(FuncFormatter(
        lambda v, _: f'{v * 1e-6:g}M' if v >= 1e6 else f'{v * 1e-3:g}k' if v >= 1e4 else f'{v:g}'))
    ax.grid(axis='y', color=COLOUR['rule'], linewidth=1)
    for s, (label, colour, _) in enumerate(c['series']):
        seen = [(x, row[s]) for x, row in zip(places, values) if row[s]]
        style = {'color': COLOUR[f'c{colour}'], 'zorder': 9 - s, 'clip_on': False}  # the first, Filch's, lies on top
        for x, value in seen:
            if value.most > value.least:
                ax.plot([x, x], [max(value.least, low), value.most], **style | {'color': COLOUR['range']}, linewidth=1.5)
        if seen:
            ax.plot([x for x, _ in seen], [max(value.median, low) for _, value in seen], label=label, linewidth=2,
                    marker='os^Dv'[s % 5], markersize=8, markeredgewidth=0, **style)
    ax.set_xticks(places, c['points'])
    ax.minorticks_off()
    figure.legend(loc='lower left', ncols=2, mode='expand', frameon=False, handlelength=1, borderpad=0, borderaxespad=0,
                  labelspacing=0.2)
    return figure, height


STEPS = 0.95, 1.05, 1.3, 1.6, 2.2  # between the colours of a map, --h0 to --h5


def heat(c, values):
    """Blocks of columns, two beside each other. Numbers in slanted letters, by which attributes() knows them."""
    blocks = {}
    for s, (label, _, _) in enumerate(c['series']):
        blocks.setdefault(label.partition(': ')[0], []).append(s)
    wide, high, left, gap = 34, 17, 52, 10
    tall = 40 + high * len(c['points'])
    height = tall * math.ceil(len(blocks) / 2)
    figure, ax = axes(height, 0, WIDTH, 0, height)
    ax.set(xlim=(0, WIDTH), ylim=(height, 0))
    ax.set_axis_off()
    for b, (name, columns) in enumerate(blocks.items()):
        x, y = left + b % 2 * (len(columns) * wide + gap), b // 2 * tall
        ax.text(x, y + 14, name, weight='bold')
        for k, s in enumerate(columns):
            ax.text(x + (k + 0.5) * wide, y + 30, c['series'][s][0].partition(': ')[2], ha='center')
            for p, row in enumerate(values):
                if not row[s]:
                    continue
                colour = COLOUR[f'h{bisect.bisect_left(STEPS, row[s].median)}']
                ax.add_patch(Rectangle((x + k * wide, y + 34 + p * high), wide - 1, high - 1, facecolor=colour, linewidth=0))
                ax.text(x + (k + 0.5) * wide, y + 47 + p * high, number(row[s].median), ha='center', style='italic')
        if b % 2 == 0:
            for p, label in enumerate(c['points']):
                ax.text(left - 4, y + 47 + p * high, label, ha='right')
    return figure, height


def svg(c, values):
    """None: there is nothing to draw."""
    found = [value for row in values for value in row if value]
    above = [value.least for value in found if value.least > 0]
    most = max((value.most for value in found), default=0)
    if not most:
        return None
    if c['heat']:
        figure, height = heat(c, values)
    else:
        figure, height = (lines if c['x'] else bars)(c, values, min(above, default=most), most)
    return inline(figure, height, c['unit'])


def alone(drawn, style):
    """The same as a file of its own, on a card, with the colours of this style."""
    box = drawn.partition('viewBox="')[2].partition('"')[0].split()
    return (drawn.replace('<svg ', f'<svg xmlns="http://www.w3.org/2000/svg" width="{box[2]}" height="{box[3]}" ', 1)
            .replace('>', f'>\n<!-- SPDX-License-Identifier: MIT. Drawn by filch bench report. -->\n<style>\n{style}</style>\n'
                     f'<rect width="{box[2]}" height="{box[3]}" rx="8" fill="var(--card)"/>', 1) + '\n')
