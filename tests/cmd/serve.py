# SPDX-License-Identifier: MIT
"""The server's answers, for serve.sh: FILCH is the command, WORK a directory to work in."""
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

FILCH, WORK = os.environ['FILCH'], os.environ['WORK']
ROOT = WORK + '/root'
HUGE = 48 << 20
PATIENCE = 60  # seconds; far more than anything takes


class Server:
    """A server on a port of its own choice."""

    def __init__(self, *options, directory=ROOT, before=None):
        self.process = subprocess.Popen([FILCH, 'serve', '--port', '0', *options, directory],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=before)
        line = self.process.stdout.readline().decode()
        found = re.fullmatch(r'serving (.*) on http://(.*):(\d+)/\n', line)
        assert found and found[1] == directory, (line, self.process.stderr.read())
        self.host, self.port = found[2].strip('[]'), int(found[3])

    def connect(self):
        s = socket.create_connection((self.host, self.port), PATIENCE)
        s.settimeout(PATIENCE)
        return s

    def signal(self, number):
        self.process.send_signal(number)

    def wait(self):
        code = self.process.wait(PATIENCE)
        said = self.process.stderr.read().decode()
        assert code == 0 and not said, (code, said)

    def stop(self):
        self.signal(signal.SIGTERM)
        self.wait()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        if self.process.poll() is None:
            self.stop() if exception[0] is None else self.process.kill()


class Answer:
    """One answer, read from a file object on a socket."""

    def __init__(self, f, head=False):
        self.line = f.readline().decode()
        if not self.line:
            raise EOFError
        assert re.fullmatch(r'HTTP/1\.1 \d{3} [A-Za-z ]+\r\n', self.line), self.line
        self.status = int(self.line.split()[1])
        self.fields = {}
        while (line := f.readline()) != b'\r\n':
            name, value = line.decode('latin-1').split(': ', 1)
            assert name.lower() not in self.fields, 'twice: ' + name
            assert value.endswith('\r\n') and line.count(b'\r') == 1, line
            self.fields[name.lower()] = value[:-2]
        length = int(self.fields.get('content-length', 0))
        self.body = b'' if head else f.read(length)
        assert head or len(self.body) == length, 'a body is too short'


def talk(server, data, n=1, head=False, closed=None):
    """Sends bytes, returns n answers; closed: whether the connection ends after them."""
    with server.connect() as s:
        s.sendall(data)
        f = s.makefile('rb')
        answers = [Answer(f, head) for _ in range(n)]
        if closed:
            try:
                assert f.read(1) == b'', 'still open'
            except ConnectionResetError:
                pass
        elif closed is not None:
            s.sendall(b'GET /small HTTP/1.1\r\nHost: x\r\n\r\n')
            assert Answer(f).status == 200, 'no longer open'
    return answers if n > 1 else answers[0]


def get(server, target, *fields, method='GET', version='1.1', **options):
    head = f'{method} {target} HTTP/{version}\r\nHost: x\r\n' + ''.join(x + '\r\n' for x in fields) + '\r\n'
    return talk(server, head.encode('latin-1'), head=method == 'HEAD', **options)


def write(name, data):
    path = f'{ROOT}/{name}'
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as f:
        f.write(data)


def expect(what, found, *wanted):
    if found not in wanted:
        raise AssertionError(f'{what}: {found}, and not {wanted}')


def prepare():
    os.makedirs(ROOT)
    write('small', b'small contents\n')
    write('empty', b'')
    write('1k.bin', os.urandom(1024))
    write('big.bin', os.urandom(3 << 20))
    write('huge.bin', bytes(HUGE))  # more than sockets hold
    write('page.HTML', b'<p>hello')
    write('a b/c&d<e>.txt', b'odd')
    write('with/index.html', b'the index')
    write('listed/z', b'zz')
    write('listed/sub/x', b'')
    write('listed/.hidden', b'')
    write('listed/a:"b', b'123')
    write('dir/deep/file.txt', b'deep')
    with open(WORK + '/secret', 'w') as f:
        f.write('secret')
    os.symlink('../secret', ROOT + '/out')
    os.symlink('/etc', ROOT + '/etc')
    os.symlink('small', ROOT + '/in')
    os.mkfifo(ROOT + '/fifo')
    write('closed', b'x')
    os.chmod(ROOT + '/closed', 0)
    old = time.time() - 1000
    for path, _, names in os.walk(ROOT):
        for name in names:
            if name not in ('out', 'in', 'etc'):
                os.utime(f'{path}/{name}', (old, old))


def data(name):
    with open(f'{ROOT}/{name}', 'rb') as f:
        return f.read()


def test_files(s):
    for _ in range(4):  # also from memory
        for name in ('small', 'empty', '1k.bin', 'big.bin', 'dir/deep/file.txt'):
            a = get(s, '/' + name)
            expect(name, a.status, 200)
            assert a.body == data(name), name
    a = get(s, '/small')
    expect('fields', sorted(a.fields), sorted(['server', 'date', 'x-content-type-options', 'content-type',
                                               'content-length', 'last-modified', 'etag', 'accept-ranges']))
    expect('nosniff', a.fields['x-content-type-options'], 'nosniff')
    day = time.strptime(a.fields['date'], '%a, %d %b %Y %H:%M:%S GMT')
    assert abs(time.mktime(day) - time.mktime(time.gmtime())) < 30, a.fields['date']
    modified = time.strftime('%a, %d %b %Y %H:%M:%S GMT', time.gmtime(os.stat(ROOT + '/small').st_mtime))
    expect('modified', a.fields['last-modified'], modified)
    expect('type', get(s, '/page.HTML').fields['content-type'], 'text/html; charset=utf-8')
    expect('type', get(s, '/dir/deep/file.txt').fields['content-type'], 'text/plain; charset=utf-8')
    expect('type', get(s, '/small').fields['content-type'], 'application/octet-stream')
    expect('in', get(s, '/in').body, b'small contents\n')
    expect('encoded', get(s, '/a%20b/c%26d%3Ce%3e.txt?x=/../..').body, b'odd')
    expect('absolute', get(s, 'http://x.example:80/small').body, b'small contents\n')
    expect('absolute', get(s, 'HTTPS://x.example/dir/../small?q').body, b'small contents\n')
    for name in ('/small', '/big.bin', '/none', '/listed/', '/with', '/empty'):
        a, b = get(s, name), get(s, name, method='HEAD')
        a.fields.pop('date'), b.fields.pop('date')
        assert a.status == b.status and a.fields == b.fields, name


def test_fresh(s):
    """Whatever is done to a file, the next answer is right."""
    old = time.time() - 500
    for i, change in enumerate((b'one', b'two', b'three')):
        if i == 2:
            write('fresh.new', change)
            os.rename(ROOT + '/fresh.new', ROOT + '/fresh')
        else:
            write('fresh', change)
        os.utime(ROOT + '/fresh', (old, old))
        time.sleep(2.1 if i == 0 else 0)  # old enough to be kept
        for _ in range(3):
            expect('fresh', get(s, '/fresh').body, change)
    os.remove(ROOT + '/fresh')
    expect('removed', get(s, '/fresh').status, 404)
    os.symlink('../secret', ROOT + '/fresh')
    expect('out', get(s, '/fresh').status, 403)
    os.remove(ROOT + '/fresh')


def test_directories(s):
    expect('index', get(s, '/with/').body, b'the index')
    expect('index', get(s, '/with/').body, b'the index')
    a = get(s, '/with?a=b')
    expect('redirect', (a.status, a.fields['location']), (301, '/with/?a=b'))
    a = get(s, '//a%20b')
    expect('redirect', (a.status, a.fields['location']), (301, '/a%20b/'))
    a = get(s, '//x.example/..//with')
    expect('redirect', (a.status, a.fields['location']), (301, '/with/'))
    page = get(s, '/listed/')
    expect('listing', page.fields['content-type'], 'text/html; charset=utf-8')
    text = page.body.decode()
    names = re.findall(r'href="([^"]*)"', text)
    expect('names', names, ['../', './sub/', './a:%22b', './z'])
    assert '>a:&quot;b</a></td><td>3</td>' in text, text
    root = get(s, '/').body.decode()
    assert 'href="./a%20b/"' in root and 'href="../"' not in root, root
    expect('escaped', get(s, '/a%20b/').body.decode().count('c&amp;d&lt;e&gt;.txt'), 1)
    expect('no directory', get(s, '/small/').status, 404)
    expect('no directory', get(s, '/small/x').status, 404)


def test_refusals(s):
    for target in ('/none', '/dir/none', '/' + 300 * 'n'):
        expect(target, get(s, target, closed=False).status, 404)
    for target in ('/out', '/etc/passwd', '/etc/', '/fifo'):
        expect(target, get(s, target, closed=False).status, 403)
    if os.getuid():
        expect('closed', get(s, '/closed').status, 403)
    for target in ('/..', '/../secret', '/%2e%2e/secret', '/..%2fsecret', '/dir/../../secret', '/%2E./secret',
                   '/dir/%2e%2e/%2e%2e/secret', '/./../secret', '//../secret', '/..;/secret', '/..%5csecret',
                   '/%252e%252e/secret', '/....//secret', '/..%c0%afsecret', '/%00', '/small%00.html', '/%', '/%4',
                   '/%zz', 'secret', '/a#b', 'http://', 'http:///small', '*'):
        a = get(s, target)
        expect(target, a.status, 400, 404)
        assert b'secret' not in a.body
    for method in ('POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'CONNECT'):
        a = get(s, '/small', method=method, closed=False)
        expect(method, (a.status, a.fields['allow']), (405, 'GET, HEAD, OPTIONS'))
    for method in ('get', 'BREW', 'GETS'):
        expect(method, get(s, '/small', method=method, closed=False).status, 501)
    for target in ('*', '/', '/none'):
        a = get(s, target, method='OPTIONS', closed=False)
        expect('OPTIONS', (a.status, a.fields['allow']), (204, 'GET, HEAD, OPTIONS'))


def test_versions(s):
    get(s, '/small', closed=False)
    get(s, '/small', 'Connection: close', closed=True)
    get(s, '/small', 'Connection: x, Close', closed=True)
    get(s, '/small', version='1.0', closed=True)
    a = get(s, '/small', 'Connection: Keep-Alive', version='1.0', closed=False)
    expect('keep', a.fields['connection'], 'keep-alive')
    expect('no host', talk(s, b'GET /small HTTP/1.0\r\n\r\n', closed=True).status, 200)
    for version, status in (('2.0', 505), ('0.9', 505), ('1.2', 200), ('1', 400), ('1.10', 400), ('x.y', 400)):
        expect(version, get(s, '/small', version=version).status, status)


def test_malformed(s):
    good = b'GET /small HTTP/1.1\r\nHost: x\r\n'
    end = b'\r\n'
    wrong = {
        'no version': b'GET /small\r\n\r\n',
        'two blanks': b'GET  /small HTTP/1.1\r\nHost: x\r\n\r\n',
        'blank at the end': b'GET /small HTTP/1.1 \r\nHost: x\r\n\r\n',
        'no target': b'GET HTTP/1.1\r\nHost: x\r\n\r\n',
        'tab': b'GET\t/small HTTP/1.1\r\nHost: x\r\n\r\n',
        'control': b'GET /sm\x01all HTTP/1.1\r\nHost: x\r\n\r\n',
        'not HTTP': b'\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
        'bare LF': b'GET /small HTTP/1.1\nHost: x\n\n',
        'bare LF later': good + b'A: b\nC: d\r\n\r\n',
        'bare CR': good + b'A: b\rC: d\r\n\r\n',
        'fold': good + b'A: b\r\n c\r\n\r\n',
        'blank first': b'GET /small HTTP/1.1\r\n Host: x\r\n\r\n',
        'blank before colon': good + b'A : b\r\n\r\n',
        'no colon': good + b'Abc\r\n\r\n',
        'no name': good + b': b\r\n\r\n',
        'control in name': good + b'A\x00b: c\r\n\r\n',
        'control in value': good + b'A: b\x00c\r\n\r\n',
        'control in value 2': good + b'A: b\x7fc\r\n\r\n',
        'no host': b'GET /small HTTP/1.1\r\n\r\n',
        'two hosts': good + b'Host: x\r\n\r\n',
        'bad host': b'GET /small HTTP/1.1\r\nHost: a/b\r\n\r\n',
        'bad host 2': b'GET /small HTTP/1.1\r\nHost: a@b\r\n\r\n',
        # What two programs might take for two different requests.
        'both lengths': good + b'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
        'both, other order': good + b'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n',
        'two lengths': good + b'Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde',
        'list of lengths': good + b'Content-Length: 4, 4\r\n\r\nabcd',
        'signed length': good + b'Content-Length: +4\r\n\r\nabcd',
        'negative length': good + b'Content-Length: -1\r\n\r\n',
        'hex length': good + b'Content-Length: 0x4\r\n\r\nabcd',
        'no length': good + b'Content-Length: \r\n\r\n',
        'huge length': good + b'Content-Length: 99999999999999999999\r\n\r\n',
        'two codings': good + b'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
        'chunked in 1.0': b'GET /small HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
        'odd colon': good + b'Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n',
        'vertical tab': good + b'Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n',
    }
    for chunks in (b'4\r\nabcdef\r\n0\r\n\r\n', b'4\nabcd\r\n0\r\n\r\n', b'x\r\n\r\n', b' 4\r\nabcd\r\n0\r\n\r\n',
                   b'4 \r\nabcd\r\n0\r\n\r\n', b'-1\r\n\r\n', b'0x1\r\na\r\n0\r\n\r\n', b'\r\nabcd\r\n',
                   b'ffffffffffffffffffff\r\n', b'0\r\n x\r\n\r\n', b'0\r\nA: \x00\r\n\r\n', b'4\r\nabcd\n0\r\n\r\n',
                   b'0\r\nA: b\n\r\n', b'4\r\nabcd\rX0\r\n\r\n', b'4;\x01\r\nabcd\r\n0\r\n\r\n'):
        wrong[f'chunks {chunks}'] = good + b'Transfer-Encoding: chunked\r\n\r\n' + chunks
    for name, text in wrong.items():
        a = talk(s, text + b'GET /small HTTP/1.1\r\nHost: x\r\n\r\n', closed=True)
        expect(name, (a.status, a.fields.get('connection')), (400, 'close'))
    for coding in ('gzip', 'gzip, chunked', 'chunked, chunked', 'xchunked', '"chunked"', 'identity'):
        expect(coding, get(s, '/small', 'Transfer-Encoding: ' + coding, closed=True).status, 501)
    expect('expectation', get(s, '/small', 'Expect: miracles', closed=True).status, 417)
    expect('blank lines', talk(s, b'\r\n\r\n' + good + end, closed=False).status, 200)


def test_bodies(s):
    post = b'POST /small HTTP/1.1\r\nHost: x\r\n'
    fine = (b'Content-Length: 5\r\n\r\nabcde', b'Content-Length: 5\r\nContent-Length: 5\r\n\r\nabcde',
            b'Transfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n2;x="y"\r\nde\r\n0\r\nTrailer: z\r\n\r\n',
            b'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n', b'Content-Length: 0\r\n\r\n', b'\r\n')
    for body in fine:
        expect(body, talk(s, post + body, closed=False).status, 405)
        answers = talk(s, post + body + b'GET /small HTTP/1.1\r\nHost: x\r\n\r\n', n=2, closed=False)
        expect(body, [a.status for a in answers], [405, 200])
        get_with = b'GET /1k.bin HTTP/1.1\r\nHost: x\r\n' + body
        for cut in range(len(get_with) - len(body), len(get_with)):  # in two pieces
            if cut % 5:
                continue
            with s.connect() as c:
                c.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                c.sendall(get_with[:cut])
                time.sleep(0.002)
                c.sendall(get_with[cut:] + b'GET /small HTTP/1.1\r\nHost: x\r\n\r\n')
                f = c.makefile('rb')
                expect(body, Answer(f).body, data('1k.bin'))
                expect(body, Answer(f).body, b'small contents\n')
    large = 1 << 20
    a = talk(s, post + b'Content-Length: %d\r\n\r\n' % large + bytes(large), closed=False)
    expect('as large as may be', a.status, 405)
    expect('too large', talk(s, post + b'Content-Length: %d\r\n\r\n' % (large + 1), closed=True).status, 413)
    chunk = b'10000\r\n' + bytes(65536) + b'\r\n'
    with s.connect() as c:
        c.sendall(post + b'Transfer-Encoding: chunked\r\n\r\n')
        for _ in range(17):
            c.sendall(chunk)
        expect('too many chunks', Answer(c.makefile('rb')).status, 413)
    # Who is refused may go on to send for a while, and then read why.
    with s.connect() as c:
        c.sendall(post + b'Content-Length: 9000000\r\n\r\n')
        for _ in range(10):
            time.sleep(0.01)
            c.sendall(bytes(20000))
        expect('lingering', Answer(c.makefile('rb')).status, 413)
    # Is the client told to go on?
    with s.connect() as c:
        f = c.makefile('rb')
        c.sendall(b'GET /small HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\nContent-Length: 3\r\n\r\n')
        expect('continue', f.readline() + f.readline(), b'HTTP/1.1 100 Continue\r\n\r\n')
        c.sendall(b'abc')
        expect('continued', Answer(f).status, 200)
    expect('refused', talk(s, post + b'Expect: 100-continue\r\nContent-Length: 3\r\n\r\n', closed=True).status, 405)


def test_limits(s):
    room = 8192 - len('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    expect('longest target', get(s, '/' + 'a' * room).status, 404)
    expect('a byte more', get(s, '/' + 'a' * (room + 1), closed=True).status, 431)
    expect('long line', get(s, '/' + 'a' * 9000, closed=True).status, 414)
    expect('many fields', get(s, '/small', *['X: ' + 'y' * 100] * 100, closed=True).status, 431)
    expect('endless', talk(s, b'G' * 100000, closed=True).status, 414)
    expect('many fields that fit', get(s, '/small', *['X: ' + 'y' * 100] * 70, closed=False).status, 200)
    expect('long redirect', len(get(s, '/' + './' * 3000 + 'dir/deep?' + '\xff' * 1500).fields['location']), 1511)


def test_pipelining(s):
    one = b'GET /%s HTTP/1.1\r\nHost: x\r\n\r\n'
    names = ['small', '1k.bin', 'none', 'big.bin', 'empty', 'small', 'big.bin', 'with/'] * 12
    answers = talk(s, b''.join(one % n.encode() for n in names), n=len(names), closed=False)
    for name, a in zip(names, answers):
        wanted = b'the index' if name == 'with/' else b'404 Not Found\n' if name == 'none' else data(name)
        assert a.body == wanted, name
    # One byte at a time.
    with s.connect() as c:
        c.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in one % b'small' + one % b'1k.bin':
            c.send(bytes([byte]))
        f = c.makefile('rb')
        expect('bytes', Answer(f).body, b'small contents\n')
        expect('bytes', Answer(f).body, data('1k.bin'))
    # What comes after the last request is not answered.
    a = talk(s, b'GET /small HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n' + one % b'small', closed=True)
    expect('last', a.status, 200)


def test_ranges(s):
    for name in ('small', '1k.bin', 'big.bin'):
        whole = data(name)
        n = len(whole)
        for text, first, last in (('0-0', 0, 0), ('0-', 0, n - 1), ('5-9', 5, 9), ('-1', n - 1, n - 1),
                                  ('-%d' % n, 0, n - 1), ('-999999999', 0, n - 1),
                                  ('%d-' % (n - 1), n - 1, n - 1), ('3-99999999', 3, n - 1)):
            a = get(s, '/' + name, 'Range: bytes=' + text)
            expect(text, (a.status, a.fields['content-range']), (206, f'bytes {first}-{last}/{n}'))
            assert a.body == whole[first:last + 1], (name, text)
        for text in ('%d-' % n, '-0', '99999999-'):
            a = get(s, '/' + name, 'Range: bytes=' + text, closed=False)
            expect(text, (a.status, a.fields['content-range']), (416, f'bytes */{n}'))
        for text in ('bytes=0-1,3-4', 'bytes=', 'bytes=-', 'bytes=5-3', 'bytes=a-b', 'lines=0-1', 'bytes=0-1x',
                     'bytes=99999999999999999999-', 'bytes 0-1', 'bytes=0-0,', 'bytes=--1'):
            a = get(s, '/' + name, 'Range: ' + text)
            expect(text, (a.status, a.body == whole), (200, True))
    expect('empty', get(s, '/empty', 'Range: bytes=0-').status, 416)
    a = get(s, '/small', 'Range: bytes=0-1', method='HEAD')
    expect('HEAD', (a.status, a.fields['content-length']), (200, '15'))


def test_conditions(s):
    a = get(s, '/small')
    tag, date = a.fields['etag'], a.fields['last-modified']
    earlier, later = 'Sun, 06 Nov 1994 08:49:37 GMT', 'Fri, 31 Dec 2100 00:00:00 GMT'
    for fields, status in (
            ([f'If-None-Match: {tag}'], 304), ([f'If-None-Match: W/{tag}'], 304), (['If-None-Match: *'], 304),
            ([f'If-None-Match: "x", {tag}'], 304), (['If-None-Match: "x"'], 200),
            ([f'If-Modified-Since: {date}'], 304), ([f'If-Modified-Since: {later}'], 304),
            ([f'If-Modified-Since: {earlier}'], 200), (['If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT'], 200),
            (['If-Modified-Since: Fri Dec 31 00:00:00 2100'], 304), (['If-Modified-Since: nonsense'], 200),
            ([f'If-Modified-Since: {later}', 'If-None-Match: "x"'], 200),
            ([f'If-Match: {tag}'], 200), (['If-Match: *'], 200), (['If-Match: "x"'], 412),
            ([f'If-Match: W/{tag}'], 412),
            ([f'If-Unmodified-Since: {date}'], 200), ([f'If-Unmodified-Since: {earlier}'], 412),
            ([f'If-Match: {tag}', f'If-Unmodified-Since: {earlier}'], 200),
            ([f'If-Match: {tag}', f'If-None-Match: {tag}'], 304),
            (['Range: bytes=0-1', f'If-Range: {tag}'], 206), (['Range: bytes=0-1', 'If-Range: "x"'], 200),
            (['Range: bytes=0-1', f'If-Range: W/{tag}'], 200), (['Range: bytes=0-1', f'If-Range: {date}'], 206),
            (['Range: bytes=0-1', f'If-Range: {later}'], 200)):
        a = get(s, '/small', *fields, closed=False)
        expect(fields, a.status, status)
        if status == 304:
            assert not a.body and a.fields['etag'] == tag and 'content-length' not in a.fields, a.fields
    write('changed', b'12345')
    first = get(s, '/changed').fields['etag']
    time.sleep(0.02)
    write('changed', b'54321')
    assert get(s, '/changed').fields['etag'] != first, 'a version that does not change'


def test_shrinking(s):
    """A file that shrinks while it is sent: the connection ends, and no length is wrong."""
    path = ROOT + '/shrinking'
    with open(path, 'wb') as f:
        f.truncate(64 << 20)
    with s.connect() as c:
        c.sendall(b'GET /shrinking HTTP/1.1\r\nHost: x\r\n\r\nGET /small HTTP/1.1\r\nHost: x\r\n\r\n')
        received = c.recv(1000)
        os.truncate(path, 100)
        while part := c.recv(1 << 20):
            received += part
    assert len(received) < 64 << 20 and received.count(b'HTTP/1.1') == 1, len(received)
    os.remove(path)


def test_times():
    with Server('--header-time', '1', '--idle', '1') as s:
        with s.connect() as c:
            c.sendall(b'GET / HT')
            began = time.monotonic()
            for _ in range(100):  # something all the time, but never all of it
                try:
                    c.send(b'X')
                    time.sleep(0.1)
                    if c.recv(1, socket.MSG_DONTWAIT | socket.MSG_PEEK):
                        break
                except BlockingIOError:
                    pass
            a = Answer(c.makefile('rb'))
            expect('slow head', (a.status, a.fields['connection']), (408, 'close'))
            assert time.monotonic() - began >= 0.9
        with s.connect() as c:  # says nothing
            began = time.monotonic()
            expect('idle', c.recv(1), b'')
            assert time.monotonic() - began >= 0.9
        a = talk(s, b'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc', closed=True)
        expect('slow body', a.status, 408)
        with s.connect() as c:  # takes nothing
            c.sendall(b'GET /huge.bin HTTP/1.1\r\nHost: x\r\n\r\n')
            time.sleep(5)  # the last of it may be taken by the sockets when the time is up
            received = 0
            try:
                while part := c.recv(1 << 20):
                    received += len(part)
            except ConnectionResetError:
                pass
            assert received < HUGE, 'a client that takes nothing is waited for'
        expect('still there', get(s, '/small').status, 200)


def test_too_many():
    with Server('--max-connections', '3') as s:
        held = [s.connect() for _ in range(3)]
        for c in held:
            c.sendall(b'GET /small HTTP/1.1\r\nHost: x\r\n\r\n')
            expect('held', Answer(c.makefile('rb')).status, 200)
        a = get(s, '/small', closed=True)
        expect('one more', (a.status, a.fields['connection']), (503, 'close'))
        for c in held:
            c.close()
        for _ in range(PATIENCE * 10):
            if get(s, '/small').status == 200:
                break
            time.sleep(0.1)
        expect('again', get(s, '/small').status, 200)


def few_descriptors():
    import resource
    resource.setrlimit(resource.RLIMIT_NOFILE, (32, 32))


def test_few_descriptors():
    with Server(before=few_descriptors) as s:
        clients = [s.connect() for _ in range(100)]
        for c in clients:
            c.sendall(b'GET /1k.bin HTTP/1.1\r\nHost: x\r\n\r\n')
        answered = 0
        for c in clients:
            c.settimeout(0.5)
            try:
                Answer(c.makefile('rb'))
                answered += 1
            except (OSError, EOFError):
                pass
            c.close()
        assert answered >= 5, answered
        for _ in range(PATIENCE * 10):
            try:
                if get(s, '/small').status == 200:
                    break
            except (OSError, EOFError):
                pass
            time.sleep(0.1)
        expect('afterwards', get(s, '/small').status, 200)


def test_stopping_without_descriptors():
    with Server('--grace', '1', before=few_descriptors) as s:
        clients = [s.connect() for _ in range(60)]
        for c in clients:
            c.sendall(b'GET /huge.bin HTTP/1.1\r\nHost: x\r\n\r\n')
        time.sleep(0.5)
        s.stop()


def test_log():
    log = WORK + '/log'
    with Server('--log', log) as s:
        get(s, '/small?a=%22')
        get(s, '/big.bin', method='HEAD')
        talk(s, b'GET /\x1b[31m"x\\ HTTP/1.1\r\nHost: x\r\n\r\n')
        talk(s, b'GET /small HTTP/9.9\r\nHost: x\r\n\r\n')
        for _ in range(PATIENCE * 10):
            if open(log).read().count('\n') == 4:
                break
            time.sleep(0.1)
        os.rename(log, log + '.1')
        s.signal(signal.SIGHUP)
        for _ in range(PATIENCE * 10):
            if os.path.exists(log):
                break
            time.sleep(0.1)
        get(s, '/none')
    before = r'127\.0\.0\.1 - - \[\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d \+0000\] "'
    lines = open(log + '.1').readlines() + open(log).readlines()
    for line, want in zip(lines, (r'GET /small\?a=%22 HTTP/1\.1" 200 15', r'HEAD /big\.bin HTTP/1\.1" 200 0',
                                  r'GET /\\x1b\[31m\\x22x\\x5c HTTP/1\.1" 400 \d+', r'GET /small HTTP/9\.9" 505 \d+',
                                  r'GET /none HTTP/1\.1" 404 14')):
        assert re.fullmatch(before + want + '\n', line), (line, want)
    expect('lines', len(lines), 5)


def test_log_that_nobody_reads():
    """A full pipe: requests wait for it, but a second signal does not."""
    with Server('--log', '-') as s:
        with s.connect() as c:
            c.sendall(b'GET /none HTTP/1.1\r\nHost: x\r\n\r\n' * 5000)
            time.sleep(1)
            s.signal(signal.SIGTERM)
            time.sleep(0.2)
            s.signal(signal.SIGTERM)
            s.wait()


def test_stopping():
    # A download is finished, an idle connection is not waited for, and nobody new is let in.
    with Server('--grace', '60') as s:
        idle = s.connect()
        idle.sendall(b'GET /small HTTP/1.1\r\nHost: x\r\n\r\n')
        Answer(idle.makefile('rb'))
        c = s.connect()
        c.sendall(b'GET /huge.bin HTTP/1.1\r\nHost: x\r\n\r\n')
        assert c.recv(1, socket.MSG_PEEK)
        s.signal(signal.SIGTERM)
        expect('idle', idle.recv(1), b'')
        try:
            s.connect().close()
            raise AssertionError('somebody new is let in')
        except ConnectionRefusedError:
            pass
        f = c.makefile('rb')
        a = Answer(f)
        assert a.body == bytes(HUGE) and f.read(1) == b''
        s.wait()
    # The second signal, or the end of the time, stops that as well.
    for options, signals in (('60', 2), ('1', 1)):
        with Server('--grace', options) as s:
            c = s.connect()
            c.sendall(b'GET /huge.bin HTTP/1.1\r\nHost: x\r\n\r\n')
            assert c.recv(1)
            for _ in range(signals):
                s.signal(signal.SIGINT)
                time.sleep(0.3)
            s.wait()


def test_many():
    """Several clients at once, each with many requests, some of which go away in the middle."""
    failures = []

    def client(s, number):
        try:
            for i in range(20):
                name = ('small', '1k.bin', 'big.bin', 'with/index.html')[(number + i) % 4]
                if i % 7 == 3:
                    with s.connect() as c:
                        c.sendall(b'GET /big.bin HTTP/1.1\r\nHost: x\r\n\r\n')
                    continue
                assert get(s, '/' + name).body == data(name), name
        except BaseException as e:  # pylint: disable=broad-except
            failures.append(e)

    with Server('--workers', '4') as s:
        threads = [threading.Thread(target=client, args=(s, i)) for i in range(16)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        assert not failures, failures


def test_wrk():
    if not shutil.which('wrk'):
        return
    with Server() as s:
        said = subprocess.run(['wrk', '-t1', '-c50', '-d1s', f'http://127.0.0.1:{s.port}/1k.bin'],
                              stdout=subprocess.PIPE, check=True, timeout=PATIENCE).stdout.decode()
        assert 'Socket errors' not in said and 'Non-2xx' not in said and 'Requests/sec' in said, said


def test_listing_refused():
    write('other.htm', b'the other')
    with Server('--no-listing', '--index', 'other.htm') as s:
        expect('refused', get(s, '/listed/').status, 403)
        expect('index', get(s, '/').body, b'the other')
    os.remove(ROOT + '/other.htm')


def test_v6():
    try:
        socket.create_server(('::1', 0), family=socket.AF_INET6).close()
    except OSError:
        return
    with Server('--address', '::1') as s:
        expect('v6', get(s, '/small').status, 200)


def main():
    prepare()
    with Server('--workers', '2') as s:
        for name, test in list(globals().items()):
            if name.startswith('test_') and test.__code__.co_argcount:
                began = time.monotonic()
                test(s)
                print(f'{name[5:]}: {time.monotonic() - began:.1f} s', flush=True)
    for name, test in list(globals().items()):
        if name.startswith('test_') and not test.__code__.co_argcount:
            began = time.monotonic()
            test()
            print(f'{name[5:]}: {time.monotonic() - began:.1f} s', flush=True)


if __name__ == '__main__':
    sys.exit(main())
