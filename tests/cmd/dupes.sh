# SPDX-License-Identifier: MIT
# filch dupes: finds what a reference in Python finds, on any number of workers, in every form; goes on
# after all that cannot be read, and says so; changes nothing.
set -eu
filch=$FILCH_BUILD/filch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
	echo "$@"
	cat "$work/out" "$work/err" 2>/dev/null | head -n 40
	exit 1
}

# dupes CODE ARGUMENT...: runs it, and checks the exit code; the rest is in out and err.
dupes() {
	local want=$1 code=0
	shift
	timeout 100 "$filch" dupes "$@" >"$work/out" 2>"$work/err" || code=$?
	[ $code = "$want" ] || fail "filch dupes $*: exit code $code"
}
said() { grep -q -- "$1" "$work/err" || fail "no message '$1'"; }
has() { grep -q -- "$1" "$work/out" || fail "no line '$1'"; }
has_not() { if grep -q -- "$1" "$work/out"; then fail "a line '$1'"; fi; }

# ---- a tree with all sizes and kinds of likeness; the reference compares whole contents ----
cat >reference.py <<'PYTHON'
import os, random, sys

def make(root, seed, files):
    r = random.Random(seed)
    known = []
    folders = [root]
    os.mkdir(root)
    for i in range(files // 20):
        folders.append(os.path.join(r.choice(folders), 'folder%d' % i))
        os.mkdir(folders[-1])
    for i in range(files):
        kind = r.randrange(10)
        if known and kind < 3:
            data = r.choice(known)
        elif known and kind < 5: # the same but for one byte, anywhere
            data = bytearray(r.choice(known))
            if data:
                data[r.choice([0, len(data) - 1, r.randrange(len(data))])] ^= 1
        elif kind < 6: # many of the same size
            data = bytes([r.randrange(3)]) * 100
        else:
            data = r.randbytes(int(2 ** r.uniform(0, 15)))
        if r.randrange(100) == 0:
            data = bytes(data) + bytes(r.choice([20000, 70000, 200000, 400000]))
        known.append(bytes(data))
        name = os.path.join(os.fsencode(r.choice(folders)), r.choice([b'f', b'\xff', b'\xc3\xa4 ']) + b'%d' % i)
        with open(name, 'wb') as f:
            f.write(data)

def expected(root):
    sets = {}
    for folder, _, names in os.walk(os.fsencode(root)):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, 'rb') as f:
                sets.setdefault(f.read(), set()).add(path)
    return {frozenset(s) for data, s in sets.items() if data and len(s) > 1}

def found(output):
    assert not output or output.endswith(b'\0\0'), output[-20:]
    return [s.split(b'\0') for s in output[:-2].split(b'\0\0')] if output else []

if sys.argv[1] == 'make':
    make(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
else:
    sets = found(open(sys.argv[3], 'rb').read())
    assert all(s == sorted(s, key=lambda p: p.split(b'/')) for s in sets), 'not in order'
    sizes = [os.path.getsize(s[0]) for s in sets]
    assert sizes == sorted(sizes, reverse=True), 'not the largest first'
    assert len(sets) == len({frozenset(s) for s in sets})
    assert {frozenset(s) for s in sets} == expected(sys.argv[2]), 'not the same sets'
    print(len(sets), 'sets as expected')
PYTHON

seed=${FILCH_SEED:-$RANDOM}
echo "seed $seed"
python3 reference.py make tree "$seed" 1500
for options in '--workers 1' '--workers 2' '--workers 2 --trust-hash' '--workers 7'; do
	dupes 0 --null $options tree
	[ ! -s err ] || fail "$options: it said something"
	python3 reference.py check tree out
	[ ! -e first ] || cmp first out
	mv out first
done
# Nothing changes, for owners and root not even a file's time of access.
snapshot() { find tree \( -type d -printf '%p %i %m %n %s %T@ %C@\n' \) -o -printf '%p %i %m %n %s %T@ %C@ %A@\n' | sort; }
find tree -type f -exec touch -a -d 2001-01-01 {} +
snapshot >before
dupes 0 --json --workers 2 tree
mv out json
dupes 0 --workers 2 tree
mv out text
dupes 0 --workers 1 tree
cmp out text
snapshot >after
cmp before after
python3 - first json text <<'PYTHON'
import json, os, sys
null = [s.split(b'\0') for s in open(sys.argv[1], 'rb').read()[:-2].split(b'\0\0')]
j = json.load(open(sys.argv[2], encoding='utf-8'))
def name(f):
    if 'path_hex' in f:
        assert '\ufffd' in f['path']
        return bytes.fromhex(f['path_hex'])
    return f['path'].encode()
assert [[name(f) for f in s['files']] for s in j['sets']] == null
assert all(s['size'] == os.path.getsize(name(s['files'][0])) for s in j['sets'])
assert any('path_hex' in f for s in j['sets'] for f in s['files'])
text = open(sys.argv[3], 'rb').read().split(b'\n')
assert [l[2:] for l in text if l.startswith(b'  ')] == [f for s in null for f in s]
y = j['summary']
assert y['sets'] == len(null) and y['duplicates'] == sum(map(len, null)) - len(null), y
assert y['duplicate_bytes'] == sum(s['size'] * (len(s['files']) - 1) for s in j['sets']), y
assert y['files'] == sum(os.path.getsize(os.path.join(d, f)) > 0 for d, _, n in os.walk('tree') for f in n), y
assert y['errors'] == 0 and y['special'] == 0, y
PYTHON
has '^[0-9]* duplicates in [0-9]* sets: .* could be freed. Looked at '
dupes 0 --summary tree
[ "$(wc -l <out)" = 1 ] || fail "not one line"
dupes 0 --json --summary tree
python3 -c 'import json; assert list(json.load(open("out"))) == ["summary"]'

# ---- large files, which are compared in pieces: a difference in the last, in the first, in none ----
mkdir large
for n in a b c d e; do truncate -s 70M large/$n; done
printf x | dd of=large/c bs=1 seek=69M conv=notrunc 2>dd.err
printf x | dd of=large/d bs=1 seek=20000 conv=notrunc 2>dd.err
printf x | dd of=large/e bs=1 seek=69M conv=notrunc 2>dd.err
for options in '' --trust-hash; do
	dupes 0 --null $options large
	[ "$(tr '\0' ' ' <out)" = 'large/a large/b  large/c large/e  ' ] || fail "large files"
done
for n in $(seq 20); do ln -s ../large/a large/l$n; cp --sparse=always large/a large/copy$n; done
dupes 0 large && has '^22 files of 70.0 MiB' && has '^2 files of 70.0 MiB' && has '^22 duplicates in 2 sets'
rm -r large

# ---- few descriptors, a deep tree, few helpers ----
(ulimit -n 64 && dupes 0 --null tree)
cmp first out
FILCH_IO=epoll FILCH_HELPERS=1 FILCH_STACK_SIZE=16K dupes 0 --null tree
cmp first out
python3 - <<'PYTHON'
import os
os.mkdir('deep')
fd = os.open('deep', os.O_RDONLY)
for level in range(400): # more than a path may be long
    os.mkdir('a-rather-long-name-%d' % level, dir_fd=fd)
    new = os.open('a-rather-long-name-%d' % level, os.O_RDONLY, dir_fd=fd)
    os.close(fd)
    fd = new
    if level in (10, 398, 399):
        with open(os.open('same', os.O_WRONLY | os.O_CREAT, dir_fd=fd), 'w') as f:
            f.write('deep down')
PYTHON
(ulimit -n 64 && dupes 0 --null deep)
[ "$(tr -d -c '\0' <out | wc -c)" = 4 ] || fail "not three deep down"
dupes 0 --exclude '*/same' deep && has '^0 duplicates'

# ---- options ----
mkdir -p o/a/.git o/b
for n in a/1 b/1 a/.git/1; do printf 'twelve bytes' >o/$n; done
head -c 3000 /dev/zero >o/a/2 && cp o/a/2 o/b/2
: >o/a/empty && : >o/b/empty
dupes 0 o && has '^3 files of 12 bytes:' && has '^2 files of 2.9 KiB:' && has_not empty
dupes 0 --min-size 13 o && has b/2 && has_not b/1
dupes 0 --min-size 12 o && has b/1
dupes 0 --min-size 3K o && has '^0 duplicates'
dupes 0 --min-size 0 o && has '^2 files of 0 bytes:' && has 'b/empty$'
dupes 0 --exclude .git o && has_not git && has b/1
dupes 0 --exclude '1' --exclude 'o/*/2' o && has '^0 duplicates'
dupes 0 --exclude 'o/b' o && has git && has_not o/b
dupes 0 --exclude 'o/b' o/ o/b && has o/b # what is given is not excluded
dupes 0 --null o o ./o "$work/o" o/a && mv out twice && dupes 0 --null o && cmp out twice
dupes 0 --null o/a o/b && has o/b
ln o/b/2 o/b/another-name && ln o/a/2 o/a/1st
dupes 0 o && has '^2 files of 2.9' && has '  o/a/1st$' && has '  o/b/2$' && has_not another
mkdir p && ln -s ../o/b/1 p/file
for n in link l1 l2 l3 l4 l5 l6 l7 l8 l9 again; do ln -s ../o/a p/$n; done
dupes 0 p && has '^0 duplicates .* 0 files in 1 directory'
dupes 0 --follow p && has '  p/again/1$' && has '  p/again/.git/1' && has '  p/file$' && has_not p/l
dupes 0 --follow --null --workers 1 p o && mv out one && dupes 0 --follow --null --workers 2 p o && cmp out one
if unshare -m true 2>/dev/null; then
	mkdir -p m/mounted && cp o/b/1 m/1
	for options in '' --one-file-system; do
		unshare -m bash -c "mount -t tmpfs none m/mounted && cp m/1 m/mounted/2 && '$filch' dupes $options m" >out
		if [ "$options" ]; then has_not mounted; else has '  m/mounted/2$'; fi
	done
else
	echo "skipped: nothing may be mounted: --one-file-system"
fi

# ---- odd things: all are reported, and it goes on ----
mkdir q && cp o/a/1 q/1 && cp o/a/1 q/2
mkfifo q/fifo q/fifo2
ln -s nowhere q/dangling && ln -s loop q/loop && ln -s . q/back && mkdir q/d && ln -s .. q/d/up
dupes 0 q && has '^2 files of 12' && has '4 files\|2 files in 2'
dupes 1 --follow q && has '^2 files of 12'
said 'left out q/dangling: No such file' && said 'q/loop: Too many' && said 'q/back: it leads back' &&
	said 'q/d/up: it leads back'
[ "$(wc -l <err)" = 4 ] || fail "not four messages"
dupes 1 --follow --quiet q && has '^2 files of 12' && [ ! -s err ]
dupes 0 --json q && has '"special":2'
dupes 0 q && has '^Passed over 2 FIFOs, devices and sockets\.$'
dupes 1 q q/none && said 'q/none: No such file' && has '^2 files of 12'
dupes 1 q q/1 && said 'q/1: Not a directory' && has '^2 files of 12'
mkdir r && printf same >"r/new
line" && printf same >"$(printf 'r/\377\001')" && printf same >'r/quote"\'
dupes 0 --json r
python3 - <<'PYTHON'
import json
files = json.load(open('out', encoding='utf-8'))['sets'][0]['files']
assert files == [{'path': 'r/new\nline'}, {'path': 'r/quote"\\'},
                 {'path': 'r/\ufffd\x01', 'path_hex': '722fff01'}], files
PYTHON
dupes 0 --null r
[ "$(od -An -c out | tr -d ' \n')" = 'r/new\nline\0r/quote"\\0r/377001\0\0' ] || fail "names as they are not"

if [ "$(id -u)" = 0 ] && setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
	mkdir -p s/closed && cp o/a/1 s/closed/1 && cp o/a/1 s/1 && cp o/a/1 s/2 && cp o/a/1 s/3
	mkdir s/odd$'\n'x && chmod 0 s/closed s/odd* s/3 && chmod 755 . s && chmod 644 s/1 s/2
	cp "$filch" filch && chmod 755 filch
	code=0
	setpriv --reuid=65534 --regid=65534 --clear-groups ./filch dupes s >out 2>err || code=$?
	[ $code = 1 ] || fail "unreadable: exit code $code"
	said 's/closed: Permission denied' && said 's/3: Permission denied' && said 's/odd\\nx: Permission'
	has '^2 files of 12' && has '  s/2$'
else
	echo "skipped: not root, or no setpriv: what may not be read"
fi

# ---- what changes meanwhile: caught in the act, as /proc tells, and stopped while it is changed ----
cat >meanwhile.py <<'PYTHON'
import os, resource, signal, subprocess, sys, time
filch = sys.argv[1]

def has_open(process, path):
    folder = '/proc/%d/fd/' % process
    try:
        return any(os.readlink(folder + n) == os.path.abspath(path) for n in os.listdir(folder))
    except OSError:
        return False

# Runs filch with one descriptor for files: so it has one thing open at a time. When that is `path`, it
# is stopped, act() called, and goes on. Again if it was missed; its exit code and words.
def during(path, prepare, act, arguments):
    for attempt in range(30):
        prepare()
        limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (33, 33))
        p = subprocess.Popen([filch, 'dupes', '--workers', '1'] + arguments, preexec_fn=limit,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        hit = False
        while p.poll() is None and not hit:
            if has_open(p.pid, path):
                p.send_signal(signal.SIGSTOP)
                os.waitid(os.P_PID, p.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
                hit = has_open(p.pid, path) # still
                if hit:
                    act()
                p.send_signal(signal.SIGCONT)
        out, err = p.communicate(timeout=100)
        if hit and p.returncode != 0:
            return p.returncode, out.decode(), err.decode()
    sys.exit('the moment was never caught: ' + path)

def sparse(*names):
    os.makedirs('t', exist_ok=True)
    for n in os.listdir('t'):
        os.remove('t/' + n)
    for n in names:
        with open('t/' + n, 'wb') as f:
            f.truncate(128 << 20)

for how in ([], ['--trust-hash']):
    # Two of three; the order in which they are read is that of their inodes.
    first = lambda: sparse('a', 'b', 'c')
    code, out, err = during('t/a', first, lambda: os.truncate('t/a', 5 << 20), how + ['t'])
    assert code == 1 and err.count('\n') == 1 and 't/a: it ' in err, err
    assert '2 files of' in out and 't/b\n' in out and 't/c\n' in out and 't/a' not in out, out
    code, out, err = during('t/a', first, lambda: os.truncate('t/a', 200 << 20), how + ['t'])
    assert code == 1 and err.count('\n') == 1 and 't/a: it was changed' in err, err
    assert '2 files of' in out and 't/a' not in out, out
    code, out, err = during('t/a', first, lambda: os.utime('t/a', (1, 1)), how + ['t'])
    assert code == 1 and 't/a: it was changed' in err and 't/a' not in out, err

# One vanishes, and one is replaced by a link, while the first is read.
def swap():
    os.remove('t/b')
    os.remove('t/c')
    os.symlink('/dev/zero', 't/c')
code, out, err = during('t/a', lambda: sparse('a', 'b', 'c', 'd'), swap, ['--trust-hash', 't'])
if err.count('\n') == 2:
    assert code == 1 and 't/b: No such file' in err and 't/c: Too many levels' in err, err
    assert '2 files of' in out and 't/a\n' in out and 't/d\n' in out, out
else:
    sys.exit('vanished: ' + err)

# A directory becomes a link to another while its neighbour, a large one, is being walked.
os.makedirs('u/large')
os.makedirs('elsewhere')
for i in range(20000):
    open('u/large/%d' % i, 'w').close()
for name in 'xy':
    with open('elsewhere/' + name, 'w') as f:
        f.write('must not be found')
def prepare():
    if os.path.islink('u/swapped'):
        os.remove('u/swapped')
    os.makedirs('u/swapped', exist_ok=True)
    for name in 'xy':
        with open('u/swapped/' + name, 'w') as f:
            f.write('swapped away')
def swap_directory():
    subprocess.run(['rm', '-rf', 'u/swapped'])
    os.symlink('../elsewhere', 'u/swapped')
code, out, err = during('u/large', prepare, swap_directory, ['u'])
assert code == 1 and 'left out u/swapped' in err and '0 duplicates' in out, (out, err)
print('what changed meanwhile was left out')
PYTHON
python3 meanwhile.py "$filch"

# ---- writing fails; wrong calls ----
code=0
"$filch" dupes tree >/dev/full 2>err || code=$?
[ $code = 1 ] || fail "what cannot be written: exit code $code"
said 'cannot be written: No space'
code=0
"$filch" dupes --help >/dev/full 2>err || code=$?
[ $code = 1 ] || fail "--help that cannot be written: exit code $code"
python3 - "$filch" <<'PYTHON'
import os, subprocess, sys
r, w = os.pipe()
os.close(r)
p = subprocess.run([sys.argv[1], 'dupes', 'tree'], stdout=w, stderr=subprocess.PIPE)
assert p.returncode == 1 and b'Broken pipe' in p.stderr, p
PYTHON
# refused PATTERN ARGUMENT...
refused() {
	local pattern=$1
	shift
	dupes 2 "$@"
	said "$pattern" && said "Try 'filch dupes --help'" && [ ! -s out ] || fail "it printed something"
}
refused 'which directory'
refused "--min-size does not take '1X'" --min-size 1X o
refused "--min-size does not take '-1'" --min-size -1 o
refused "--min-size does not take '9999999999G'" --min-size 9999999999G o
refused "--workers does not take '0'" --workers 0 o
refused "--exclude does not take ''" --exclude '' o
refused "unknown option.*'--nul1'" --nul1 o
refused "unknown option: '-x'" -xy o
refused 'one or the other' --json --null o
refused 'is about names' --summary --null o
dupes 0 --help && has '^usage: filch dupes' && has '^Examples:'

# ---- progress is for terminals ----
if script -qec true /dev/null >/dev/null 2>&1; then
	truncate -s 1G t/a t/b
	script -qec "'$filch' dupes --summary t" script.out >/dev/null
	grep -q 'files; .* of at most .* read, .*/s' script.out || fail "no progress"
fi
echo "filch dupes finds them, and goes on after what it cannot read"
