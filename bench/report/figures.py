# SPDX-License-Identifier: MIT
"""The figures of the papers and the commands whose rows they show: data, and helpers that shorten it.

A row has a run, a bench, an impl, perhaps a `to` (what a ratio is taken against) and a metric. A chart is points by series,
each of which names some of these; the chart names the rest. A sentence has # for the number of the row beside it, written
'run bench impl/to metric', and perhaps a second sentence that is added where the number is above 1.
"""
FILCH, FILCH_2, FILCH_3, PEER_1, PEER_2, PEER_3, LIMIT = 0, 1, 2, 3, 4, 5, 7  # the page's colours, --c0 to --c7

QUEUES = '(bwos_lifo|chase_lev|abp|locked)'


def hz(shape, thieves, rate):
    """Steals at a frequency, by so many thieves: EMPER's shapes of a queue."""
    blocks = {64: 8, 256: 4}[shape]
    return {f'hz{rate}x{thieves}_{shape}': (
        f'filch bench queue --blocks {blocks} --block-size {shape} --thieves {thieves} --steal-hz {rate} '
        f"--filter '^(owner|hz.*) {QUEUES}$'", ('--quick --slice-ms 10', ''), (2, 5))}


# A run: the command; the options and the seconds of the quick set and of the full one, which has the suites' own sizes.
RUNS = {
    'queue': ("filch bench queue --filter '^(owner|stolen.*) '", ('--quick', '--rounds 31'), (20, 75)),
    'stolen5': ("filch bench queue --stolen 5 --filter '^stolen5 '", ('--quick', '--rounds 31'), (7, 20)),
    'pool': ("filch bench pool --filter ' (bwos_lifo|abp|bwos_fifo|runq)[+]'", ('--quick', '--rounds 15'), (8, 60)),
    'verify': ("verify/run --filter '^queue/figure9[.](bwos|abp)'", ('', ''), (60, 60)),
}
for size in 64, 256:
    for count, rates in (1, (1000, 10000, 100000, 1000000)), (5, (200, 2000, 20000, 200000)):
        for each in rates:
            RUNS |= hz(size, count, each)
RUNS |= hz(64, 2, 50000)
RUNS |= {
    'quicksort': ("filch bench app --stats --filter '^quicksort '", ('--quick --rounds 9', ''), (25, 120)),
    'dupes': ("filch bench dupes --filter '^queues '", ('--quick --rounds 9', ''), (7, 120)),
    'mapreduce': ("filch bench latency --filter '^mapreduce'", ('--quick --rounds 5', ''), (30, 400)),
    'ratio': ("filch bench latency --filter '^ratio'", ('--quick --rounds 5', ''), (20, 120)),
    'compute': ("filch bench latency --filter '^compute '", ('--quick --rounds 9', ''), (5, 60)),
    'app1': ("filch bench app --workers 1 --filter ' (serial|poll@1|filch@1|eager_(bwos_lifo|chase_lev|abp|locked)@1|"
             "openmp@1|libomp@1|tbb@1)$'", ('--quick --rounds 5', ''), (35, 600)),
    'app2': ("filch bench app --filter ' (serial|filch@2|poll@2|eager_(bwos_lifo|chase_lev|locked)@2|"
             "openmp@2|libomp@2|tbb@2)$'", ('--quick --rounds 5', ''), (35, 600)),
    'envelope': ('filch bench envelope', ('--quick', ''), (35, 200)),
}


def chart(unit, points, series, vary='impl', title='', x='', log='', mark=None, per_operation=False, heat=False, **cell):
    """points: {label: part of a cell}; series: {label: (colour, what `vary` is)}. With a title x, lines over labels that are
    numbers, otherwise bars. log: the axes that are logarithmic. per_operation: ns instead of millions a second. heat: a map of
    ratios, with points down and series across; what is before ': ' in the label of a series is the name of its block."""
    return {'unit': unit, 'title': title, 'x': x, 'log': log, 'mark': mark, 'per_operation': per_operation, 'heat': heat,
            'cell': cell,
            'points': points, 'series': [(label, colour, {vary: name}) for label, (colour, name) in series.items()]}


def by(field, names):
    """Points that differ in one field: a dictionary by label, or names that are labels."""
    return {label: {field: names[label] if isinstance(names, dict) else label} for label in names}


STOLEN = by('bench', {'0': 'owner', '1': 'stolen1', '5': 'stolen5', '10': 'stolen10', '20': 'stolen20'})
STOLEN['5']['run'] = 'stolen5'
FOUR_QUEUES = {'BWoS': (FILCH, 'bwos_lifo'), 'ABP': (PEER_1, 'abp'), 'Chase-Lev': (PEER_2, 'chase_lev'),
               'lock': (PEER_3, 'locked')}
THREE_QUEUES = {label: FOUR_QUEUES[label] for label in ('BWoS', 'ABP', 'Chase-Lev')}
QUICKSORTS = {'BWoS, blocks of 8': (FILCH, 'bwos_lifo@8'), 'BWoS, 16': (FILCH, 'bwos_lifo@16'),
              'BWoS, 64': (FILCH, 'bwos_lifo@64'), 'BWoS, 256': (FILCH, 'bwos_lifo@256'),
              'Chase-Lev': (PEER_2, 'eager_chase_lev@2'), 'ABP': (PEER_1, 'eager_abp@2'),
              'lock': (PEER_3, 'eager_locked@2'), 'no queue: Filch': (FILCH_2, 'filch@2')}
WAITS = {'Filch': (FILCH, 'filch@2'), 'blocking': (PEER_1, 'blocking@2'), 'ideal': (LIMIT, 'ideal@2')}
REST = ['jacobi', 'matmul', 'quicksort', 'lu', 'heat']
EIGHT = by('bench', ['fib', 'integrate', 'nqueens', *REST]) | by('bench', {'geometric mean': 'mean8'})
# Where nearly all is spawns, peers run less of it, and so does Filch beside them.
SMALL = by('bench', {f'{name}, small': f'{name}_small' for name in ('fib', 'integrate', 'nqueens')}) | by('bench', REST)


def policies(title, bwos, label, peer):
    ways = {' random': 'random', ' sequential': 'sequential', ' last victim': 'last', ' best of 2': 'best_of_two',
            ' best of many': 'best_of_many'}
    series = {'BWoS near., prob.': (FILCH, bwos + '+nearest+prob'), 'BWoS nearest': (FILCH, bwos + '+nearest')}
    series |= {'BWoS' + way: (FILCH_3 if 'best' in name else FILCH_2, f'{bwos}+{name}') for way, name in ways.items()}
    series |= {label + way: (PEER_1, f'{peer}+{name}') for way, name in ({' nearest': 'nearest'} | ways).items()}
    return chart('million operations a second',
                 by('bench', {'balancing factor 0 %': 'balance0', '10 %': 'balance10', '100 %': 'balance100'}), series,
                 title=title, run='pool', metric='throughput')


def frequencies(shape, thieves):
    """The sentences and the chart of figures 5.3 to 5.6; labels are steals a second of all thieves together."""
    rates = {label: rate // thieves for label, rate in
             {'1k': 1000, '10k': 10000, '100k': 100000, '1M': 1000000}.items()}
    points = {label: {'run': f'hz{rate}x{thieves}_{shape}', 'bench': f'hz{rate}'} for label, rate in rates.items()}
    most = rates['1M']
    return ([(f'BWoS: # times {name} at a million steals a second',
              f'hz{most}x{thieves}_{shape} hz{most} bwos_lifo/{peer} speedup')
             for name, peer in (('ABP', 'abp'), ('Chase-Lev', 'chase_lev'), ('the lock', 'locked'))],
            [chart('million operations a second', points, FOUR_QUEUES, x='steals a second that all thieves aim at', log='x',
                   metric='throughput')])


def steal_times(run, bench):
    return ([(f'{name}: # ns', f'{run} {bench} {impl} steal_p50') for name, (_, impl) in THREE_QUEUES.items()],
            [chart('ns a steal', by('metric', {'median': 'steal_p50', '99th percentile': 'steal_p99'}), THREE_QUEUES,
                   run=run, bench=bench)])


def programs(metric, at, unit):
    """The charts of figures 7 and 8."""
    common = {'mark': 1, 'run': f'app{at}', 'to': 'serial', 'metric': metric}
    return [chart(unit, EIGHT, {'asked by signal': (FILCH, f'filch@{at}'), 'polled': (FILCH_2, f'poll@{at}')}, title='Filch',
                  **common),
            chart(unit + '; scale is logarithmic', SMALL,
                  {'Filch': (FILCH, f'filch@{at}'), 'OpenMP (gcc)': (PEER_1, f'openmp@{at}'),
                   'OpenMP (clang)': (PEER_2, f'libomp@{at}'), 'oneTBB': (PEER_3, f'tbb@{at}')},
                  title='Filch and its peers', log='y', **common)]


FEWER_PROCESSORS = 'Where there are fewer than six processors, thieves share them, also with the owner.'
ABOVE_IDEAL = (
    'The ideal is a plain {} that only one thread may use. It is measured, too, and is no upper bound: for each entry its '
    'loop and that of BWoS store a position and load it again for the next entry, and how fast the processor hands that '
    'value on may differ from one loop to the other. A value above 1 says no more than that letting others steal costs '
    'nothing here.')

PAPERS = []


def paper(number, title, citation):
    PAPERS.append({'id': number, 'title': title, 'citation': citation, 'figures': []})


def figure(number, title, headline, note, findings, charts, kind='Figure'):
    """headline: what the paper found; note: what is different here. Without a number: the only one, and of no paper."""
    PAPERS[-1]['figures'].append({
        'id': f'{PAPERS[-1]["id"]}-{number}'.removesuffix('-'), 'name': f'{kind} {number.removeprefix("table")}'.strip(),
        'title': title,
        'headline': headline, 'note': note, 'findings': findings, 'charts': charts})


paper('000', 'Block-based work stealing',
      'Wang, Trach, Fu, Behrens, Schwender, Liu, Lei, Vafeiadis, Härtig, Chen: BWoS: Formally Verified Block-based Work '
      'Stealing for Parallel Processing, OSDI 2023')
figure('10', 'A LIFO queue while some of its entries are stolen',
       'Without stealing, LIFO BWoS has 4.55 times the throughput of ABP on x86 and is 10.7 % slower than a queue nobody may '
       'steal from; with 10 % stolen it is 12.59 times ABP; with 20 % stolen it loses 0.53 %, ABP 71.9 % (sections 6.2.1 and '
       '6.2.2).',
       '8192 entries of 8 bytes, 8 blocks, one thief. Only x86, and only the queues with orders as weak as they may be: there '
       'is no variant with all of them sequentially consistent. Chase-Lev and a queue under a lock are beside ABP. At 20 % '
       'the way of a cache line between the cores is the limit (README.md, "How fast the queues are").',
       [('BWoS: # times the throughput of ABP without stealing', 'queue owner bwos_lifo/abp speedup'),
        ('BWoS: # times ABP with 10 % to be stolen', 'queue stolen10 bwos_lifo/abp speedup'),
        ('BWoS: # times Chase-Lev with 10 % to be stolen', 'queue stolen10 bwos_lifo/chase_lev speedup'),
        ('BWoS: # of the ideal without stealing', 'queue owner bwos_lifo/ideal_lifo speedup', ABOVE_IDEAL.format('stack')),
        ('BWoS: # of its own throughput without a thief when 20 % are to be stolen',
         'queue stolen20 bwos_lifo/bwos_lifo@0 speedup')],
       [chart('million operations a second', STOLEN, FOUR_QUEUES | {'ideal: no thieves': (LIMIT, 'ideal_lifo')},
              x='entries to be stolen, %', run='queue', metric='throughput')])
figure('11', 'A FIFO queue while some of its entries are stolen',
       "Without stealing, FIFO BWoS has 3.55 times the throughput of Tokio's queue and 1.61 times that of Go's, and is 5.4 % "
       'slower than the ideal; with 10 % stolen it is 9.41 and 2.78 times these; with 20 % it loses 9.35 %, they 80.2 % and '
       '59.3 % (sections 6.2.1 and 6.2.2).',
       "Run queue: the ring with steal-half that Go and Tokio have, in C, as a stand-in for theirs. BBQ, Eigen's and Kotlin's "
       'queues were not measured.',
       [('BWoS: # times the throughput of the run queue without stealing', 'queue owner bwos_fifo/runq speedup'),
        ('BWoS: # times the run queue with 10 % to be stolen', 'queue stolen10 bwos_fifo/runq speedup'),
        ('BWoS: # of the ideal without stealing', 'queue owner bwos_fifo/ideal_fifo speedup', ABOVE_IDEAL.format('ring')),
        ('BWoS: # of its own throughput without a thief when 20 % are to be stolen',
         'queue stolen20 bwos_fifo/bwos_fifo@0 speedup')],
       [chart('million operations a second', STOLEN,
              {'BWoS': (FILCH, 'bwos_fifo'), 'run queue (Go, Tokio)': (PEER_1, 'runq'),
               'ideal: no thieves': (LIMIT, 'ideal_fifo')},
              x='entries to be stolen, %', run='queue', metric='throughput')])
figure('12', 'Eight queues that steal from each other, by policy',
       "BWoS has 4.69 times the throughput of ABP and 2.68 times that of Tokio's queue at a balancing factor of 0 %, 7.90 and "
       '6.45 times at larger ones; the NUMA-aware policy gains at most 2.21 and 1.73, stealing by probability 1.34 and 1.53 '
       'on top of it at 100 % (section 6.2.3).',
       'Eight threads as in the paper, which had a core for each. The NUMA-aware policy is called nearest here; the topology '
       'is made up (two nodes of two caches of two cores), so being near gains nothing, and with as many threads as this on '
       'few cores neither does leaving a victim alone that has little.',
       [*((f'{name}: # times {other} with the policy nearest at {percent} %',
           f'pool balance{percent} {bwos}+nearest/{peer}+nearest speedup')
          for name, bwos, other, peer in (('BWoS', 'bwos_lifo', 'ABP', 'abp'), ('FIFO', 'bwos_fifo', 'the run queue', 'runq'))
          for percent in (0, 100)),
        ('BWoS: being near, # times random at 100 %', 'pool balance100 bwos_lifo+nearest/bwos_lifo+random speedup'),
        ('FIFO: being near, # times random at 100 %', 'pool balance100 bwos_fifo+nearest/bwos_fifo+random speedup'),
        ('BWoS: stealing by probability, # times nearest alone at 100 %',
         'pool balance100 bwos_lifo+nearest+prob/bwos_lifo+nearest speedup'),
        ('FIFO: stealing by probability, # times nearest alone at 100 %',
         'pool balance100 bwos_fifo+nearest+prob/bwos_fifo+nearest speedup')],
       [policies('LIFO', 'bwos_lifo', 'ABP', 'abp'), policies('FIFO', 'bwos_fifo', 'run q.', 'runq')])
figure('table2', 'Accesses by memory order, and executions that the model checker explored',
       'LIFO BWoS has 2 acquire, 2 release and 14 relaxed accesses, FIFO BWoS 3, 3 and 16, neither any sequentially '
       'consistent one; ABP has 4, with 3 acquire, 1 release, 7 relaxed. 1.39, 1.43 and 2.05 million executions in 62, 53 and '
       '16 minutes, on six cores (section 5.2).',
       "Filch's queues also grow, set blocks aside and grant on demand, which the paper's do not: hence more accesses. The "
       "client is the one of the paper's figure 9, with bounds on preemptions and stale reads, and states that were seen "
       "before are not explored again. 'verify/run' also weakens each ordered access and sees a client fail.",
       [('LIFO BWoS: # sequentially consistent accesses', 'verify orders bwos_lifo seq_cst'),
        ('LIFO BWoS: # executions of the client of figure 9', 'verify queue/figure9 bwos_lifo executions'),
        ('FIFO BWoS: # executions', 'verify queue/figure9 bwos_fifo executions'),
        ('ABP: # executions', 'verify queue/figure9 abp executions')],
       [chart('accesses in the source',
              by('impl', {'LIFO BWoS': 'bwos_lifo', 'FIFO BWoS': 'bwos_fifo', 'Chase-Lev': 'chase_lev', 'ABP': 'abp'}),
              {'seq. consistent': (PEER_1, 'seq_cst'), 'acquire': (PEER_2, 'acquire'), 'release': (PEER_3, 'release'),
               'relaxed': (LIMIT, 'relaxed')}, vary='metric', title='Accesses by order', run='verify', bench='orders'),
        chart("executions of the paper's client", {'executions': {}},
              {'LIFO BWoS': (FILCH, 'bwos_lifo'), 'FIFO BWoS': (FILCH, 'bwos_fifo'), 'ABP': (PEER_1, 'abp')},
              title='Executions explored', run='verify', bench='queue/figure9', metric='executions')], kind='Table')

paper('001', 'BWoS in EMPER',
      "Duwadi: Analysis of Novel Approaches for Work-Stealing Scheduling, master's thesis, University of Bamberg, 2025")
figure('5.2', 'What putting and getting costs the owner',
       'About the same for BWoS, ABP and Chase-Lev, far more under a lock (section 5.2.1).',
       'The mean of putting and getting, from the throughput without thieves; 512 entries in 8 blocks, where the paper has '
       '1024.',
       [('BWoS: # million operations a second', 'hz1000x1_64 owner bwos_lifo throughput'),
        ('BWoS: # times the throughput of ABP', 'hz1000x1_64 owner bwos_lifo/abp speedup'),
        ('BWoS: # times Chase-Lev', 'hz1000x1_64 owner bwos_lifo/chase_lev speedup'),
        ('BWoS: # times the lock', 'hz1000x1_64 owner bwos_lifo/locked speedup')],
       [chart('ns an operation', {'put or get': {}}, FOUR_QUEUES, per_operation=True, run='hz1000x1_64', bench='owner',
              metric='throughput')])
figure('5.3', 'Throughput with one thief, blocks of 64',
       'All but the lock are close to each other; BWoS loses least as steals become more frequent (section 5.2.2).',
       "Entries are of 8 bytes, not of 4: Filch's queues hold pointers. 8 blocks of 64, and 512 entries in all queues, where "
       'the paper has 1024. Without thieves: figure 5.2.', *frequencies(64, 1))
figure('5.4', 'Throughput with five thieves, blocks of 64',
       'At a million steals a second, ABP has 24 %, Chase-Lev 38.5 % and the lock 95 % less throughput than BWoS (table 5.1).',
       'Entries are of 8 bytes, 512 in a queue. ' + FEWER_PROCESSORS, *frequencies(64, 5))
figure('5.5', 'Throughput with one thief, blocks of 256',
       'With entries of 8 bytes and blocks of 256, BWoS has twice the throughput of ABP at all frequencies, and 1.5 times '
       'that of Chase-Lev at high ones (section 5.2.2).',
       '4 blocks of 256, 1024 entries of 8 bytes, as there.', *frequencies(256, 1))
figure('5.6', 'Throughput with five thieves, blocks of 256',
       'As with one thief: twice ABP, and 1.5 times Chase-Lev at high frequencies (section 5.2.2).',
       '4 blocks of 256. ' + FEWER_PROCESSORS, *frequencies(256, 5))
figure('5.7', 'What becomes of a steal',
       'Of the steals that fail, 92 % find BWoS empty and 8 % lose a race; for ABP it is 66 and 34 %, for Chase-Lev 54 and '
       '46 %, for the lock all are empty (table 5.3).',
       "Shares of all steals; the paper's are of those that fail. Two thieves, 50,000 steals a second each; the paper does "
       'not say how often its thieves stole.',
       [('BWoS: # % succeed', 'hz50000x2_64 hz50000 bwos_lifo ok'),
        ('BWoS: # % lose a race', 'hz50000x2_64 hz50000 bwos_lifo lost'),
        ('ABP: # % lose a race', 'hz50000x2_64 hz50000 abp lost'),
        ('Chase-Lev: # % lose a race', 'hz50000x2_64 hz50000 chase_lev lost')],
       [chart('% of steals', by('impl', {label: impl for label, (_, impl) in FOUR_QUEUES.items()}),
              {'stolen': (PEER_2, 'ok'), 'found empty': (LIMIT, 'empty'), 'lost a race': (PEER_1, 'lost')}, vary='metric',
              run='hz50000x2_64', bench='hz50000')])
figure('5.8', 'How long a steal takes, one thief',
       'ABP is quickest, Chase-Lev takes 116 ns in the median, BWoS noticeably longer (section 5.2.2).',
       '100,000 steals a second, as there; medians and 99th percentiles instead of distributions, and without the lock, as '
       'there.', *steal_times('hz100000x1_64', 'hz100000'))
figure('5.9', 'How long a steal takes, five thieves',
       'Chase-Lev stays about the same, 106 ns; BWoS takes longer than both (section 5.2.2).',
       '20,000 steals a second and thief, as there. ' + FEWER_PROCESSORS, *steal_times('hz20000x5_64', 'hz20000'))
figure('5.10', 'Quicksort with each queue',
       'Chase-Lev and BWoS with blocks of 8 are best, the lock within 5 % of them; with blocks of 64, BWoS takes 65 times as '
       'long as with blocks of 8 (section 5.3.1).',
       '10 million 64-bit numbers in the full set, a million in the quick one; two workers, every spawn in a queue. Filch\'s '
       'own way, which needs no queue for what is not stolen, is the last bar.',
       [('BWoS with its worst block size takes # times as long as Chase-Lev',
         'quicksort quicksort bwos_lifo@worst/chase_lev@best overhead'),
        *((name + ': # times as fast as serial C', f'quicksort quicksort {impl}/serial speedup') for name, impl in (
            ('Blocks of 8', 'bwos_lifo@8'), ('Blocks of 64', 'bwos_lifo@64'), ('Chase-Lev', 'eager_chase_lev@2'),
            ('ABP', 'eager_abp@2'), ('Without a queue', 'filch@2')))],
       [chart('seconds', {'time': {}}, QUICKSORTS, run='quicksort', bench='quicksort', metric='time')])
figure('5.11', 'What is stolen during quicksort',
       'Chase-Lev and BWoS with blocks of 8 are best at stealing; nothing at all is stolen from ABP, which so runs on one '
       'core (section 5.3.1).',
       'Tasks stolen in a run, with two workers.',
       [('ABP: # tasks', 'quicksort quicksort eager_abp@2 stolen'),
        ('BWoS with blocks of 8: # tasks', 'quicksort quicksort bwos_lifo@8 stolen'),
        ('BWoS with blocks of 64: # tasks', 'quicksort quicksort bwos_lifo@64 stolen'),
        ('Chase-Lev: # tasks', 'quicksort quicksort eager_chase_lev@2 stolen')],
       [chart('tasks stolen a run', {'stolen': {}}, QUICKSORTS, run='quicksort', bench='quicksort', metric='stolen')])
figure('5.12', 'Finding duplicate files with each queue',
       '538 ms with the lock, 550 with Chase-Lev, 568 with ABP, 823 to 882 with BWoS, which the text calls 40 to 45 % slower '
       '(table 5.5, section 5.3.2).',
       "'filch dupes', with the files in memory, its pool on each queue: a program of Filch's own, since theirs is written "
       'for EMPER. Tasks are put into BWoS when somebody asks for them, as Filch does, and into the others at once. What is '
       'stolen is not counted.',
       [*((f'BWoS with blocks of {n}: # of the speed with Chase-Lev', f'dupes queues bwos_lifo@{n}/chase_lev speedup')
          for n in (16, 64, 256)),
        ('The lock: # of the speed with Chase-Lev', 'dupes queues locked/chase_lev speedup')],
       [chart('seconds', {'time': {}},
              {'BWoS, blocks of 16': (FILCH, 'bwos_lifo@16'), 'BWoS, 64': (FILCH, 'bwos_lifo@64'),
               'BWoS, 256': (FILCH, 'bwos_lifo@256'), 'Chase-Lev': (PEER_2, 'chase_lev'), 'ABP': (PEER_1, 'abp'),
               'lock': (PEER_3, 'locked')}, run='dupes', bench='queues', metric='time')])

paper('003', 'Hiding latency',
      'Weidinger: Need for Speed: Latency-Hiding Work-Stealing, project report, University of Edinburgh, 2022')
figure('5.2', 'How much of a latency is hidden',
       'An ideal scheduler would leave only the one latency that is on the critical path. The experiment is given, 5000 '
       "remote values each mapped to fib(30); the report's text has no figures for it.",
       'The same parameters (200 values in the quick set). Blocking: the wait holds the worker, so fewer values are '
       "measured. Ideal: a run without latency, and one latency added to its time, where the report's has none; it is "
       'measured, too, so a ratio may come out below 1.',
       [*((f'Filch: # times the ideal with {ms} ms', f'mapreduce mapreduce{ms} filch@2/ideal@2 overhead')
          for ms in (1, 50, 500)),
        *((f'Filch: # times as fast as blocking with {ms} ms', f'mapreduce mapreduce{ms} filch@2/blocking@2 speedup')
          for ms in (50, 500))],
       [chart('us a value', by('bench', {str(ms): f'mapreduce{ms}' for ms in (1, 5, 10, 50, 100, 500)}), WAITS,
              x='latency of a value, ms', log='xy', run='mapreduce', metric='per_value')], kind='Section')
figure('5.3', 'From work that computes to work that waits',
       "The report's text has the title only: compute-bound against I/O-bound workloads.",
       '1000 values (200 in the quick set), of which some are only waited for (50 ms), the others only computed (fib(30)). '
       'Ideal: the same without the waiting, and 50 ms added to its time; it is measured, too, so a ratio may come out below '
       '1. When all compute, nothing is waited for, and the two are the same program: there is no ratio to tell.',
       [('Filch: # times the ideal when half of them wait', 'ratio ratio50 filch@2/ideal@2 overhead'),
        ('Filch: # times the ideal when all wait', 'ratio ratio100 filch@2/ideal@2 overhead'),
        ('Filch: # times as fast as blocking when half of them wait', 'ratio ratio50 filch@2/blocking@2 speedup')],
       [chart('us a value', by('bench', {str(share): f'ratio{share}' for share in (0, 25, 50, 75, 100)}), WAITS,
              x='values that are waited for, %', log='y', run='ratio', metric='per_value')], kind='Section')
figure('5.4', 'What being able to wait costs those who never do',
       "The report's text has the title only: the overhead of the scheduler.",
       'The same computation in a pool with 1000 strands asleep and 64 in reads, and in one that never waited.',
       [('With strands that wait it takes # times as long', 'compute compute filch_io/filch overhead')],
       [chart('seconds', by('metric', {'fib without cutoff': 'fib', 'map': 'map', 'both': 'time'}),
              {'others wait': (FILCH, 'filch_io'), 'nobody waits': (LIMIT, 'filch')}, run='compute', bench='compute')],
       kind='Section')

paper('004', 'The overhead of a task',
      'Kumar, Frampton, Blackburn, Grove, Tardieu: Work-Stealing Without the Baggage, OOPSLA 2012')
figure('4', 'Where the overhead of one worker comes from',
       'Of the overhead over sequential Java, the deque makes up just over 30 % in X10 and 50 % in Fork-Join; the objects '
       "that hold a task's state just under half (section 3.1).",
       'One worker, times serial C. Filch keeps a task in the frame of its spawner and has no deque for what is not stolen; '
       'with every spawn in a queue one sees what that saves. There is no heap-allocated state to be left out.',
       [(f'fib (small): # times {text}', f'app1 fib_small {impl}@1/serial overhead') for text, impl in (
           ('serial C without a queue', 'filch'), ('with every spawn in BWoS', 'eager_bwos_lifo'),
           ('with Chase-Lev', 'eager_chase_lev'), ('with ABP', 'eager_abp'), ('with a lock', 'eager_locked'))],
       [chart('times serial C; scale is logarithmic', SMALL,
              {'Filch, no queue': (FILCH, 'filch@1'), 'in BWoS': (FILCH_2, 'eager_bwos_lifo@1'),
               'in Chase-Lev': (PEER_2, 'eager_chase_lev@1'), 'in ABP': (PEER_1, 'eager_abp@1'),
               'under a lock': (PEER_3, 'eager_locked@1')},
              log='y', mark=1, run='app1', to='serial', metric='overhead')])
figure('5', 'How many of the tasks are stolen',
       'About one in a million for many programs, up to one in ten for LU and Heat (section 3.2).',
       'Two workers. What is stolen here is a task that was exposed because somebody asked; with every spawn in a queue '
       'anything may be.',
       [(f'{name}: # of its tasks', f'app2 {name} filch@2 steal_ratio') for name in ('fib', 'quicksort', 'lu', 'heat')],
       [chart('steals a task; scale is logarithmic', EIGHT,
              {'Filch': (FILCH, 'filch@2'), 'Filch, polled': (FILCH_2, 'poll@2'),
               'in Chase-Lev': (PEER_2, 'eager_chase_lev@2')}, log='y', run='app2', metric='steal_ratio')])
figure('7', 'The overhead of one worker',
       'Try-catch work stealing takes 1.15 times as long as sequential Java on average, Fork-Join 2.3 times and X10 4.1 '
       'times; for Fibonacci it is up to 18 times for X10 and 8.4 for Fork-Join (abstract, section 7.1).',
       "Times serial C, compiled with the same options. Peers are gcc's and clang's OpenMP tasks and oneTBB instead of X10 "
       'and Fork-Join.',
       [('Filch: # times serial C, geometric mean of eight programs', 'app1 mean8 filch@1/serial overhead'),
        ('fib: # times serial C', 'app1 fib filch@1/serial overhead'),
        ('fib (small): # times serial C with oneTBB', 'app1 fib_small tbb@1/serial overhead'),
        ("fib (small): # times with gcc's OpenMP", 'app1 fib_small openmp@1/serial overhead'),
        ("fib (small): # times with clang's OpenMP", 'app1 fib_small libomp@1/serial overhead')],
       programs('overhead', 1, 'times serial C'))
figure('8', 'Speedup over serial code',
       'Even for Fibonacci and Integrate, try-catch work stealing is faster than sequential Java from two cores on, and 7 '
       'and 8.5 times as fast at twelve; X10 and Fork-Join hardly gain there (section 7.2).',
       "Two workers instead of up to twelve: this shows the first step of the paper's curves, not how they go on.",
       [('Filch: # times serial C, geometric mean of eight programs', 'app2 mean8 filch@2/serial speedup'),
        ('fib: # times serial C', 'app2 fib filch@2/serial speedup'),
        ('integrate: # times serial C', 'app2 integrate filch@2/serial speedup'),
        ('quicksort: # times oneTBB', 'app2 quicksort filch@2/tbb@2 speedup'),
        ('fib (small): # times oneTBB', 'app2 fib_small filch@2/tbb@2 speedup'),
        ("fib (small): # times gcc's OpenMP", 'app2 fib_small filch@2/openmp@2 speedup')],
       programs('speedup', 2, 'times as fast as serial C, two workers'))

paper('envelope', 'Sizes, moments and callers', 'Of no paper: where plain C, oneTBB or OpenMP would have been better than Filch')
KINDS = {'loop from main()': 'forout', 'loop in a task': 'for', 'tree from main()': 'treeout', 'tree in a task': 'tree'}
WORKS = {f'{size} {unit}': {'work': f'{size}{unit[0].replace("µ", "u")}s'}
         for unit in ('µs', 'ms') for size in (1, 3, 10, 30, 100, 300) if (size, unit) != (300, 'ms')}
GAPS = {'0': '0', '0.1': '100us', '1': '1ms', '10': '10ms'}


def envelope(title, impl):
    return chart('Filch\'s time as a multiple of the best\'s. Down: work of 64 leaves together; across: how many ms the caller '
                 'computed before', WORKS, {}, title=title, heat=True, run='envelope', bench='{kind}_{work}_{gap}', impl=impl,
                 to='best', metric='overhead') | {'series': [
                     (f'{kind}: {gap}', FILCH, {'kind': KINDS[kind], 'gap': GAPS[gap]}) for kind in KINDS for gap in GAPS]}


figure('', 'Loops and trees of all sizes, after serial phases of all lengths', '',
       'The best is the quickest of plain C, oneTBB, OpenMP that waits and, after serial phases of up to 100 us, OpenMP that '
       'spins, in each cell; with one worker it is plain C. Loops are called, and trees of spawned tasks begun, from main() or '
       'in a task. Trees of OpenMP and oneTBB are of tasks, too.',
       [('Filch with all workers takes # times as long as the best, geometric mean', 'envelope mean filch/best overhead'),
        ('The largest of these: #', 'envelope worst filch/best overhead'),
        ('With one worker it takes # times as long as plain C, geometric mean', 'envelope mean filch@1/best overhead'),
        ('The largest of these with one worker: #', 'envelope worst filch@1/best overhead'),
        ('Processor time: # of that of oneTBB', 'envelope cpu filch/tbb overhead'),
        ('Processor time: # of that of OpenMP that waits', 'envelope cpu filch/openmp overhead')],
       [envelope('All workers', 'filch'), envelope('One worker', 'filch@1')], kind='Map')
