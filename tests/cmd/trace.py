# SPDX-License-Identifier: MIT
"""trace.py FILE [CHECK...]: is FILE a trace as Chrome and Perfetto read it, and does it hold together? Each
CHECK is an expression that must be true of it, in terms of: slices, a list of (pool, worker, category, name,
begin, end); names, waits, arrows: how often there is a slice, a wait, an arrow of each name; victims, how often an
arrow comes from within a slice of each name; workers, a set of (pool, worker); unfinished, the waits that have no
end; lost, the number of events overwritten."""
import collections
import json
import sys

NEEDED = {
    'M': {'pid', 'tid', 'name', 'args'},
    'B': {'pid', 'tid', 'ts', 'cat', 'name'},
    'E': {'pid', 'tid', 'ts'},
    'b': {'pid', 'tid', 'ts', 'cat', 'name', 'id'},
    'e': {'pid', 'tid', 'ts', 'cat', 'name', 'id'},
    's': {'pid', 'tid', 'ts', 'cat', 'name', 'id'},
    'f': {'pid', 'tid', 'ts', 'cat', 'name', 'id', 'bp'},
    'i': {'pid', 'tid', 'ts', 'cat', 'name', 's'},
}


def check_events(events):
    """Each event has what its kind needs, and nothing unknown."""
    for e in events:
        assert NEEDED[e['ph']] <= set(e) <= NEEDED[e['ph']] | {'ph', 'args'}, e
        assert e['ph'] == 'M' or (isinstance(e['ts'], (int, float)) and e['ts'] >= 0), e


def find_slices(events):
    """Slices of all tracks: they nest, times ascend, and outermost ones follow each other at once."""
    slices, open_ones, last, ended = [], collections.defaultdict(list), {}, {}
    for e in events:
        track = e['pid'], e['tid']
        if e['ph'] not in 'BE':
            continue
        assert e['ts'] >= last.get(track, 0), e
        last[track] = e['ts']
        if e['ph'] == 'B':
            assert open_ones[track] or ended.get(track, e['ts']) == e['ts'], ('a gap', e)
            open_ones[track].append(e)
        else:
            b = open_ones[track].pop()
            slices.append((*track, b['cat'], b['name'], b['ts'], e['ts']))
            if not open_ones[track]:
                ended[track] = e['ts']
    assert not any(open_ones.values()), open_ones
    return slices


def find_arrows(events, slices):
    """Arrows lead from a slice of one worker to the beginning of a strand on another of its pool."""
    tracks = collections.defaultdict(list)
    for pool, worker, *rest in slices:
        tracks[pool, worker].append(rest)
    ends = {kind: {e['id']: e for e in events if e['ph'] == kind} for kind in 'sf'}
    assert set(ends['s']) == set(ends['f'])
    assert len(ends['s']) == sum(e['ph'] == 's' for e in events)
    victims = collections.Counter()
    for number, s in ends['s'].items():
        f = ends['f'][number]
        assert s['pid'] == f['pid'] and s['tid'] != f['tid'] and s['ts'] <= f['ts'] and f['bp'] == 'e', (s, f)
        within = {name for _, name, begin, end in tracks[s['pid'], s['tid']] if begin <= s['ts'] <= end}
        assert within, s
        victims.update(within)
        assert any(category == 'strand' and begin == f['ts'] for category, _, begin, _ in tracks[f['pid'], f['tid']]), f
    return collections.Counter(s['name'] for s in ends['s'].values()), victims


def find_waits(events):
    """Each wait begins and ends."""
    begins = {e['id']: e for e in events if e['ph'] == 'b'}
    ends = {e['id']: e for e in events if e['ph'] == 'e'}
    assert set(begins) == set(ends) and len(begins) == sum(e['ph'] == 'b' for e in events)
    for number, b in begins.items():
        assert b['name'] == ends[number]['name'] and b['ts'] <= ends[number]['ts'], b
    unfinished = [b['name'] for b in begins.values() if b['args'].get('unfinished')]
    return collections.Counter(b['name'] for b in begins.values()), unfinished


def main():
    trace = json.load(open(sys.argv[1]))
    events = trace['traceEvents']
    check_events(events)
    slices = find_slices(events)
    waits, unfinished = find_waits(events)
    arrows, victims = find_arrows(events, slices)
    seen = {
        'slices': slices, 'waits': waits, 'unfinished': unfinished, 'arrows': arrows, 'victims': victims,
        'names': collections.Counter(s[3] for s in slices),
        'workers': {(e['pid'], e['tid']) for e in events if e['ph'] == 'M' and e['name'] == 'thread_name'},
        'lost': int(trace['otherData']['lost_events']),
    }
    for check in sys.argv[2:]:
        assert eval(check, seen), (check, seen['names'], waits, seen['arrows'], unfinished, seen['lost'])
    print(f'{sys.argv[1].split("/")[-1]}: {len(events)} events, {len(slices)} slices, {sum(seen["arrows"].values())} arrows, '
          f'{sum(waits.values())} waits, {seen["lost"]} lost')


main()
