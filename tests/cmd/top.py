# SPDX-License-Identifier: MIT
"""What filch top shows of tests/cmd/top.c; see top.sh."""
import atexit
import fcntl
import json
import os
import pty
import re
import select
import signal
import socket
import stat
import struct
import subprocess
import termios
import time

FILCH, SUBJECT, WORK = (os.environ[name] for name in ('FILCH', 'SUBJECT', 'WORK'))
RUNTIME = f'{WORK}/runtime'
FOLDER = f'{RUNTIME}/filch-{os.getuid()}'
os.mkdir(RUNTIME, 0o700)
os.environ['XDG_RUNTIME_DIR'] = RUNTIME
os.environ.pop('FILCH_WATCH', None)
os.environ['TSAN_OPTIONS'] = 'die_after_fork=0'  # a child of one that has threads may have some, too
PATIENCE = 120  # far above what anything takes


class Subject:
    """The program, once it is ready."""

    def __init__(self, *arguments, watch='on', prefix=(), program=SUBJECT):
        environment = dict(os.environ, FILCH_WATCH=watch)
        self.process = subprocess.Popen([*prefix, program, *map(str, arguments)], env=environment,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)
        self.pid, self.child = self.process.pid, None
        while (line := self.process.stdout.readline()) != 'ready\n':
            assert line, 'it has not become ready'
            self.child = int(line.split()[1])
        if arguments[-1] == 'fork' and not self.child:
            self.child = int(self.process.stdout.readline().split()[1])

    def end(self):
        self.process.stdin.close()
        assert self.process.wait(PATIENCE) == 0, self.process.returncode
        self.process.stdout.close()


def top(*arguments, code=0, prefix=()):
    """Its output and what it said of errors."""
    run = subprocess.run([*prefix, FILCH, 'top', *map(str, arguments)], capture_output=True, text=True,
                         timeout=PATIENCE, stdin=subprocess.DEVNULL)
    assert run.returncode == code, (run.returncode, run.stdout, run.stderr)
    return run.stdout, run.stderr


def snapshot(pid, prefix=()):
    return json.loads(top('--json', '--once', pid, prefix=prefix)[0])


def settled(pid, wanted):
    """Strands of a pool by name: (active, suspended, resumable), when they are as wanted."""
    for _ in range(200):
        seen = [{s['task']: (s['active'], s['suspended'], s['resumable']) for s in p['strands']}
                for p in snapshot(pid)['pools']]
        if seen == wanted:
            return
        time.sleep(0.05)  # the thinker may not have begun yet
    raise AssertionError((seen, wanted))


def running(seen):
    return [w['task'] for w in seen['pools'][0]['workers'] if w['state'] == 'running']


def shows():
    """Names, counts, counters; a folder and a socket that nobody else may use, and that goes."""
    s = Subject(20, 7)
    settled(s.pid, [{'sleeper': (0, 20, 0), 'reader': (0, 7, 0), 'thinker': (1, 0, 0)}])
    end = time.time() + PATIENCE
    seen = snapshot(s.pid)
    while running(seen) != ['thinker'] and time.time() < end:
        seen = snapshot(s.pid)  # who has started the others may not have seen that they are done
    assert seen['pid'] == s.pid and seen['program'] == 'cmd_top' and seen['resident'] > 1 << 16, seen
    pool, = seen['pools']
    assert pool['timers'] == 20 and pool['live'] == 28 and pool['stacks']['made'] >= 28, pool
    workers = pool['workers']
    assert len(workers) == 3 and sum(w['stolen'] for w in workers) > 0, workers
    assert running(seen) == ['thinker'], workers
    assert sum(w['cpu_ns'] for w in workers) > 0, workers

    page = top('--once', '--interval', '0.2', s.pid)[0]
    assert re.search(rf'^cmd_top, process {s.pid}   up \d+:\d\d:\d\d   1 pool   ', page), page
    assert re.search(r'^strands: 1 active, 27 suspended, 0 ready   20 timers', page, re.M), page
    assert re.search(r'^ +\d running +\d+\.\d .*  thinker$', page, re.M), page
    assert re.search(r'^ +0 +20 +0  sleeper\n +0 +7 +0  reader\n +1 +0 +0  thinker$', page, re.M), page
    assert '\033' not in page and '\1' not in page, page
    assert ' thinker\n' in top('--interval', '0.2', s.pid)[0]  # no terminal: once

    name = f'{FOLDER}/{s.pid}.sock'
    assert stat.S_IMODE(os.stat(FOLDER).st_mode) == 0o700
    assert stat.S_IMODE(os.stat(name).st_mode) == 0o600
    assert re.search(rf'^ *{s.pid}  cmd_top$', top()[0], re.M)
    s.end()
    assert not os.path.exists(name)
    assert 'start one with FILCH_WATCH=on' in top()[0]


def follows():
    """Rates, by snapshots that come one by one; and the end of the program."""
    s = Subject(1, 0)
    json_view = subprocess.Popen([FILCH, 'top', '--json', '--interval', '0.05', str(s.pid)], text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    times = [json.loads(json_view.stdout.readline())['now_ns'] for _ in range(4)]
    assert times == sorted(set(times)), times
    s.end()
    _, error = json_view.communicate(timeout=PATIENCE)
    assert json_view.returncode == 0 and f'process {s.pid} has ended' in error, error


def tells():
    """Who cannot be looked at, and why."""
    assert 'there is no process 1073741824' in top(1 << 30, code=1)[1]
    s = Subject(1, 0, watch='off')
    error = top('--once', s.pid, code=1)[1]
    assert f'process {s.pid} (cmd_top) cannot be looked at; start it with FILCH_WATCH=on' in error, error
    assert not os.path.exists(f'{FOLDER}/{s.pid}.sock')
    s.end()

    def refuses(pattern, **environment):
        run = subprocess.run([SUBJECT], env=dict(os.environ, **environment), capture_output=True, text=True,
                             timeout=PATIENCE, stdin=subprocess.DEVNULL)
        assert run.returncode == 1 and re.search(pattern, run.stderr), run
    refuses("FILCH_WATCH is 'yes', but must be on or off", FILCH_WATCH='yes')
    base = f'{WORK}/wrong'
    folder = f'{base}/filch-{os.getuid()}'
    os.mkdir(base, 0o700)
    private = 'no folder that only this user may use; remove it'
    os.mkdir(folder, 0o755)
    refuses(private, FILCH_WATCH='on', XDG_RUNTIME_DIR=base)
    os.rmdir(folder)
    os.symlink(FOLDER, folder)
    refuses(private, FILCH_WATCH='on', XDG_RUNTIME_DIR=base)
    os.unlink(folder)
    open(folder, 'w').close()
    refuses(private, FILCH_WATCH='on', XDG_RUNTIME_DIR=base)
    long = f'{WORK}/' + 'x' * 100
    os.mkdir(long, 0o700)
    refuses('there can be no socket .*: File name too long', FILCH_WATCH='on', XDG_RUNTIME_DIR=long)


def stale():
    """A program that was killed leaves its socket, which the next list removes."""
    s = Subject(1, 0)
    name = f'{FOLDER}/{s.pid}.sock'
    s.process.kill()
    s.process.wait()
    assert os.path.exists(name)
    assert 'there is no process' in top(s.pid, code=1)[1]
    top()
    assert not os.path.exists(name)


def forks():
    """The child has no socket but its own, and leaves the parent's alone."""
    s = Subject(3, 0, 'fork')
    assert snapshot(s.pid)['pools'][0]['strands'] and snapshot(s.child)['pid'] == s.child
    assert len(snapshot(s.child)['pools'][0]['workers']) == 1
    os.kill(s.child, signal.SIGKILL)
    assert snapshot(s.pid)['pid'] == s.pid
    s.end()
    assert not os.path.exists(f'{FOLDER}/{s.pid}.sock')
    top()  # removes the child's


def two_pools():
    s = Subject(2, 1, 'two')
    settled(s.pid, [{'sleeper': (0, 1, 0)}, {'sleeper': (0, 2, 0), 'reader': (0, 1, 0), 'thinker': (1, 0, 0)}])
    page = top('--once', '--interval', '0.05', s.pid)[0]
    assert page.count('WORKER') == 2 and '   2 pools   ' in page and '4 workers' in page, page
    s.end()


def many():
    """A hundred thousand strands; fewer where each takes milliseconds."""
    info = json.loads(subprocess.run([FILCH, 'info', '--json'], capture_output=True).stdout)
    n = 500 if info['build']['sanitizer'] else 100000
    s = Subject(n, 0)
    settled(s.pid, [{'sleeper': (0, n, 0), 'thinker': (1, 0, 0)}])
    s.end()


def slow():
    """More than fits into a socket for one who does not read yet; another one does not wait for that."""
    server = subprocess.Popen([FILCH, 'serve', '--port', '0', '--workers', '100', WORK], stdout=subprocess.PIPE,
                              env=dict(os.environ, FILCH_WATCH='on'), text=True)
    atexit.register(server.kill)
    assert server.stdout.readline().startswith('serving ')
    while not os.path.exists(f'{FOLDER}/{server.pid}.sock'):
        time.sleep(0.01)  # the pool comes after the port
    c = socket.socket(socket.AF_UNIX)
    while c.connect_ex(f'{FOLDER}/{server.pid}.sock'):
        time.sleep(0.01)  # the file is there before the program listens
    while not snapshot(server.pid)['pools']:
        time.sleep(0.01)  # and after the socket
    for _ in range(40):
        c.sendall(b'\n')
        time.sleep(0.005)
    assert len(snapshot(server.pid)['pools'][0]['workers']) == 100
    c.shutdown(socket.SHUT_WR)
    answers = c.makefile().read().splitlines()
    assert answers and all(json.loads(a)['pid'] == server.pid for a in answers), answers[-1]
    t = Terminal(server.pid, 24, 100)
    t.until('... and ')
    page = t.page()
    while not any(line.endswith('  run') for line in page):  # the server has only just begun
        page = t.page()
    assert len(page) <= 24, page
    os.write(t.ours, b'q')
    assert t.ended() == 0
    server.terminate()
    assert server.wait(PATIENCE) == 0
    server.stdout.close()


def clients():
    """Those who ask for nothing, too much, or go away; those who are too many."""
    s = Subject(1, 0)
    name = f'{FOLDER}/{s.pid}.sock'

    def connect():
        c = socket.socket(socket.AF_UNIX)
        c.settimeout(PATIENCE)
        c.connect(name)
        return c
    idle = [connect() for _ in range(7)]
    idle[0].sendall(b'x' * 1000)  # no line
    deaf = idle[1]
    deaf.sendall(b'\n' * 100)
    assert snapshot(s.pid)['pid'] == s.pid
    last = connect()
    last.sendall(b'\n')
    assert json.loads(last.makefile().readline())['pid'] == s.pid
    assert 'error' in json.loads(connect().makefile().readline())  # the ninth
    assert 'too many look at process' in top(s.pid, code=1)[1]
    for c in idle:
        c.close()
    while subprocess.run([FILCH, 'top', '--json', '--once', str(s.pid)], capture_output=True).returncode:
        time.sleep(0.05)  # it may not have noticed yet
    s.end()


def users():
    """Another user is refused, root is not. Only root can try."""
    nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--']
    if os.getuid() or subprocess.run([*nobody, FILCH, '--version'], capture_output=True).returncode:
        print('users: not tried')
        return
    s = Subject(1, 0)
    assert 'another user\'s; only they and root' in top(s.pid, code=1, prefix=nobody)[1]
    os.chmod(WORK, 0o711)
    os.chmod(RUNTIME, 0o711)
    connect = 'import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])'
    run = subprocess.run([*nobody, 'python3', '-c', connect, f'{FOLDER}/{s.pid}.sock'],
                         capture_output=True, text=True)
    assert 'Permission denied' in run.stderr, run
    # If the folder and the socket are open to all, the program still looks who it is.
    os.chmod(FOLDER, 0o711)
    os.chmod(f'{FOLDER}/{s.pid}.sock', 0o666)
    ask = ('import socket, sys; c = socket.socket(socket.AF_UNIX); c.connect(sys.argv[1])\n'
           'try:\n    c.sendall(b"\\n"); print(len(c.recv(9)))\nexcept OSError:\n    print(0)')
    run = subprocess.run([*nobody, 'python3', '-c', ask, f'{FOLDER}/{s.pid}.sock'],
                         capture_output=True, text=True)
    assert run.stdout == '0\n', run
    os.chmod(FOLDER, 0o700)
    s.end()
    theirs = Subject(4, 0, prefix=nobody) # RUNTIME is not theirs, so it is in /tmp
    assert snapshot(theirs.pid)['pools'][0]['timers'] == 4
    theirs.end()
    assert not os.path.exists(f'/tmp/filch-65534/{theirs.pid}.sock')
    try:
        os.rmdir('/tmp/filch-65534')
    except OSError:
        pass  # another run of this test has something there


class Terminal:
    """filch top on a terminal of so many rows and columns."""

    def __init__(self, pid, rows, columns, **environment):
        self.ours, self.theirs = pty.openpty()
        self.resize(rows, columns)
        self.before = termios.tcgetattr(self.theirs)
        self.process = subprocess.Popen([FILCH, 'top', '--interval', '0.1', str(pid)], stdin=self.theirs,
                                        stdout=self.theirs, stderr=self.theirs, start_new_session=True,
                                        env=dict(os.environ, TERM='xterm', **environment))
        self.seen = ''

    def resize(self, rows, columns):
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))

    def read(self):
        if select.select([self.ours], [], [], 0.1)[0]:
            self.seen += os.read(self.ours, 1 << 16).decode()

    def until(self, text):
        end = time.time() + PATIENCE
        while text not in self.seen:
            assert time.time() < end and self.process.poll() is None, self.seen
            self.read()

    def page(self):
        """The rows of the next page that is drawn whole."""
        self.seen = ''
        self.until('\033[J')
        self.until('\033[J' + '\033[H')
        return re.sub(r'\033\[[0-9;?]*[a-zA-Z]|\r', '', self.seen.split('\033[J')[-2]).split('\n')

    def ended(self):
        code = self.process.wait(PATIENCE)
        while select.select([self.ours], [], [], 0)[0]:
            self.read()
        assert termios.tcgetattr(self.theirs) == self.before
        os.close(self.ours)
        os.close(self.theirs)
        return code


ENTER, LEAVE = '\033[?1049h\033[?25l', '\033[?25h\033[?1049l'


def terminal():
    s = Subject(5, 3)
    t = Terminal(s.pid, 24, 100)
    t.until('sleeper')
    assert t.seen.startswith(ENTER) and '\033[7mWORKER' in t.seen, t.seen
    page = t.page()
    assert any(line.endswith('  thinker') for line in page) and len(page) <= 24, page
    t.resize(9, 20)
    os.kill(t.process.pid, signal.SIGWINCH)
    end = time.time() + PATIENCE
    while len(page) > 9 or max(map(len, page)) != 20:
        assert time.time() < end, page
        page = t.page()
    os.write(t.ours, b'xyz')  # nothing
    t.page()
    os.write(t.ours, b'q')
    assert t.ended() == 0 and t.seen.endswith(LEAVE), t.seen

    t = Terminal(s.pid, 24, 80, NO_COLOR='1')
    t.until('sleeper')
    assert '\033[7m' not in t.seen and '\1' not in t.seen, t.seen
    t.process.send_signal(signal.SIGTERM)
    assert t.ended() == -signal.SIGTERM and t.seen.endswith(LEAVE), t.seen

    t = Terminal(s.pid, 24, 80)
    t.until('sleeper')
    s.end()
    assert t.ended() == 0 and LEAVE in t.seen and f'process {s.pid} has ended' in t.seen, t.seen


def names():
    """A terminal does not obey the names that it is shown."""
    odd = f'{WORK}/a\033[31m\u009b2J\nb'
    os.symlink(SUBJECT, odd)
    s = Subject(1, 0, program=odd)
    page = top('--once', '--interval', '0.05', s.pid)[0]
    assert page.startswith('a?[31m?2J?b, process '), page
    assert snapshot(s.pid)['program'] == 'a\033[31m\u009b2J\nb'
    assert '\033' not in top()[0]
    s.end()


for test in (shows, follows, tells, stale, forks, two_pools, many, slow, clients, users, terminal, names):
    began = time.time()
    test()
    print(f'{test.__name__}: {time.time() - began:.1f} s', flush=True)
