# SPDX-License-Identifier: MIT
"""Runs the commands as processes of their own, one after the other, and takes their rows."""
import json
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
import time

from figures import RUNS

PASSES = 1, 3  # of the quick set and the full one: several tell how far apart they are


class Stop:
    """The signal that asked for the end, and the process that it is handed on to."""
    number = 0
    child = None

    @classmethod
    def ask(cls, number, _):
        cls.number = number
        if cls.child and cls.child.poll() is None:
            os.killpg(cls.child.pid, number)  # and all that it has started


def look_up(path, name):
    """The value of the first line 'name : value' of a file."""
    with open(path, encoding='utf-8', errors='replace') as file:
        found = re.search(rf'^{name}\s*:\s*(.*)$', file.read(), re.M)
    return found[1] if found else 'unknown'


def machine(full, version, compiler):
    """Where and with what it is measured."""
    memory = int(look_up('/proc/meminfo', 'MemTotal').split()[0]) / (1 << 20)
    return {'report': 1, 'date': time.strftime('%Y-%m-%d %H:%M UTC', time.gmtime()), 'set': 'full' if full else 'quick',
            'processor': look_up('/proc/cpuinfo', 'model name'),
            'processors': f'{len(os.sched_getaffinity(0))} of {os.cpu_count()} processors', 'memory': f'{memory:.1f} GiB',
            'system': f'{platform.system()} {platform.release()} {platform.machine()}', 'compiler': compiler,
            'load': f'{os.getloadavg()[0]:.1f} in the minute before', 'version': version}


def command(run, full):
    """The command as one would type it."""
    line, more, _ = RUNS[run]
    return f'{line} {more[full]}'.rstrip()


def child(run, full, rows, program):
    """Runs one command; returns why it failed, or ''."""
    line, first = command(run, full), program
    if line.startswith('verify/'):
        first = os.path.dirname(os.path.dirname(program))  # the sources, if the command is where it was built
        if not os.access(first + '/verify/run', os.X_OK):
            return 'needs the sources that the command was built from'
        line = 'cd "$0" && exec ' + line
    else:
        line = 'exec "$0" ' + line.removeprefix('filch ')
    with tempfile.TemporaryFile('w+', errors='replace') as errors:
        with subprocess.Popen(['/bin/sh', '-c', line + ' --json', first], stdout=subprocess.PIPE, stderr=errors, text=True,
                              start_new_session=True) as Stop.child:
            if Stop.number:  # it came before there was a child
                Stop.ask(Stop.number, None)
            for text in Stop.child.stdout:
                try:
                    row = json.loads(text)
                except ValueError:
                    continue
                if isinstance(row, dict):
                    rows.take(row | {'run': run})
        code = Stop.child.returncode
        errors.seek(0)
        said = [text for text in errors.read().splitlines() if text]
    if Stop.number:
        return 'interrupted'
    if not code:
        return ''
    return said[-1] if said else f'ended by signal {-code}' if code < 0 else f'ended with code {code}'


def measure(runs, full, rows, program):
    """Takes these runs. Returns 0, 1 if one failed, or 128 and the signal that ended it."""
    for number in signal.SIGINT, signal.SIGTERM:
        signal.signal(number, Stop.ask)
    clear, end, width = ('\r\033[K', '', 48) if sys.stderr.isatty() else ('', '\n', None)
    planned = [run for _ in range(PASSES[full]) for run in runs]
    left = sum(RUNS[run][2][full] for run in planned)
    start, expected, failed = time.monotonic(), 0, 0
    for done, run in enumerate(planned, 1):
        if Stop.number:
            break
        # By what the runs took until now against what they should have.
        seconds = left * ((time.monotonic() - start) / expected if expected else 1)
        about = f'{seconds:.0f} s' if seconds < 90 else f'{seconds / 60:.0f} min'
        line = command(run, full)
        print(f'{clear}[{done}/{len(planned)}] about {about} left: {line[:width]}', end=end, file=sys.stderr, flush=True)
        error = child(run, full, rows, program)
        rows.take({'run': run, 'command': line, 'error': error})
        if error:
            failed = 1
            print(f'{clear}{line}: {error}', file=sys.stderr)
        expected += RUNS[run][2][full]
        left -= RUNS[run][2][full]
    print(clear, end='', file=sys.stderr)
    if Stop.number:
        print('interrupted: the page has what there is', file=sys.stderr)
        return 128 + Stop.number
    return failed
