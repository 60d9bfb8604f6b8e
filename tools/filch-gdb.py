# SPDX-License-Identifier: MIT
"""Filch in gdb: strands, workers and tasks of a stopped process, or of a core file.

    (gdb) source tools/filch-gdb.py
    (gdb) help filch

Nothing is written to the process, and nothing called in it. Where things lie in memory
is told by the library itself (src/observe/debug.c), without debug information.
A strand that is stopped is shown by an unwinder, which has gdb believe for a while that
the strand had called the newest frame of the selected thread. It is all in one file, so
that it can be copied to where a program runs.
"""
import collections
import contextlib
import itertools
import os
import re
import struct

import gdb
from gdb.unwinder import Unwinder

ASK = "SIG42"  # workers ask each other for tasks by it if the program handles SIGURG
MANY = 100  # strands are listed one by one up to so many
TOP = 4096  # of a stack, what is read at once: the strand, and often all its frames
ENTRY = 48  # bytes of a struct filch__layout
DEEP = 1 << 16  # how far to look through a stack for a wait
FUNCTION = 1 << 63  # in a title: it is the address of a function, not a task
FRAMES = 40  # how far to look for a frame of the user's

# Registers that a stopped strand has kept, in the order of struct filch__context.
KEPT = {
    "x86-64": ("rsp", "rip", "rbp", "rbx"),
    "aarch64": ("sp", "pc", "x29", "x19"),
}


# ---- memory ----


def read(address, size):
    return bytes(gdb.selected_inferior().read_memory(address, size))


def word(data, at=0):
    return struct.unpack_from("<Q", data, at)[0]


def half(data, at=0):
    return struct.unpack_from("<I", data, at)[0]


def word_at(address):
    return word(read(address, 8))


def address_of(symbol):
    try:
        return int(gdb.parse_and_eval(f"(unsigned long)&{symbol}"))
    except gdb.error:
        return None


def symbol_at(address):
    """The function that begins here, "" if none does."""
    text = gdb.execute(f"info symbol {address}", to_string=True)
    name, found, _ = text.partition(" in section ")
    return plain(name) if found and " + " not in name else ""


def plain(name):
    """A name as in the source, without what gdb and compilers put to it: parameters in
    C++, parts split off, and x.y for x__y, which gdb takes for a name in Ada."""
    part = r"\[cold\]$|(\.(part|cold|isra|constprop|lto_priv)(\.\d+)?)+$"
    name = re.sub(part, "", name)
    name = re.sub(r"(?<=\w)\(.*\)$", "", name)
    return name.replace("@plt", "").replace(".", "__")


class Layout(dict):
    """Offsets, sizes and constants by their names in C."""

    def __init__(self):
        super().__init__()
        self.tasks = {}  # by address
        self.debug = address_of("filch__debug")
        if self.debug is None:
            raise gdb.GdbError(
                "There is no Filch in this program: filch__debug is not found. If it is "
                "in a shared library, start the program first; if the program was "
                "stripped, use one that was not."
            )
        self.load(self.debug + 8, 48)
        for more in "filch__debug_task", "filch__debug_io":
            if address_of(more):  # else the program has no use for that part
                self.load(address_of(more))

    def __missing__(self, name):
        raise gdb.GdbError(
            f"This library does not tell of {name}: it is not of this script's version."
        )

    def task(self, address):
        address &= ~1  # the mark of an exposed record
        if address not in self.tasks:
            self.tasks[address] = Task(self, address)
        return self.tasks[address]

    def load(self, at, entries=1):
        """Reads a table, so many entries at once."""
        while True:
            data = read(at, ENTRY * entries)
            for entry in range(0, len(data), ENTRY):
                name = data[entry : entry + ENTRY - 4].split(b"\0")[0].decode()
                if not name:
                    return
                self[name] = half(data, entry + ENTRY - 4)
            at += len(data)


class Thing:
    """A struct of the library, read at once."""

    def __init__(self, layout, kind, address, data=None):
        self.layout, self.kind, self.address = layout, kind, address
        self.data = read(address, layout[kind]) if data is None else data

    def word(self, member):
        return word(self.data, self.layout[f"{self.kind}.{member}"])

    def half(self, member):
        return half(self.data, self.layout[f"{self.kind}.{member}"])


# ---- what there is ----


def architecture():
    name = gdb.selected_inferior().architecture().name()
    return "x86-64" if name.startswith("i386:x86-64") else name


class Task(Thing):
    def __init__(self, layout, address):
        super().__init__(layout, "filch__task", address)
        self.function = self.word("function")
        try:  # what FILCH_TASK was given
            text = gdb.Value(self.word("name")).cast(gdb.lookup_type("char").pointer())
            self.name = text.string()
        except (gdb.error, UnicodeDecodeError):
            self.name = hex(address)

    def name_for(self, record):
        """The name by which a record of this task is shown: see enum filch__shows."""
        layout = self.layout
        shows = self.word("size") & layout["FILCH__SHOWS_BITS"]
        if not shows:
            return self.name
        function = word_at(record + layout["filch__record"])
        if shows == layout["FILCH__SHOWS_BEHIND"]:
            function = word_at(function)
        return symbol_at(function) or self.name

    def is_real(self):
        """Whether this is one at all, and not what else was on a stack."""
        return self.layout["filch__record"] <= self.word("size") < 1 << 20


class Strand(Thing):
    def __init__(self, pool, number, address, data, top):
        super().__init__(pool.layout, "filch__strand", address, data)
        self.pool, self.number, self.top = pool, number, top
        self.lo, self.hi = self.word("lo"), self.word("hi")
        self.thread = self.worker = None  # of those that run

    def __str__(self):
        return self.pool.prefix() + str(self.number)

    def state(self):
        if self.thread:
            return "active"
        state = self.half("state") & ((1 << self.layout["FILCH__STATE_BITS"]) - 1)
        return "waits" if state == self.layout["FILCH__SUSPENDED"] else "ready"

    def task(self):
        """The name of the task it was begun for or runs, and its function or 0."""
        runs = self.word("runs")
        if runs & FUNCTION:  # a function that stands for a task
            return symbol_at(runs ^ FUNCTION) or hex(runs ^ FUNCTION), runs ^ FUNCTION
        task = self.layout.task(runs)
        return task.name, task.function

    def kept(self):
        """The registers it has kept when it stopped; the first is its stack pointer."""
        at = self.layout.get("filch__strand.fiber.context")
        names = KEPT.get(architecture())
        if at is None or not names:
            raise gdb.GdbError(
                "Strands that are stopped cannot be shown: this library switches them by "
                "swapcontext(), or this script does not know the processor."
            )
        return dict(zip(names, struct.unpack_from("<4Q", self.data, at)))

    def sp(self):
        return next(iter(self.kept().values()))

    def stack(self, at, size):
        """Of its stack, up to so many bytes from there on."""
        begin = self.hi - len(self.top)
        size = min(size, self.hi - at)
        if at >= begin:
            return self.top[at - begin : at - begin + size]
        return read(at, size)


class Worker(Thing):
    def __init__(self, pool, index):
        layout = pool.layout
        address = pool.word("seat") + index * layout["filch__seat"]
        super().__init__(layout, "filch__worker", address)
        self.pool, self.index, self.thread = pool, index, None
        parker = pool.word("lot.parker") + index * layout["filch__parker"]
        self.parked = Thing(layout, "filch__parker", parker).half("state")

    def __str__(self):
        return self.pool.prefix() + str(self.index)

    def seat(self, member):
        """A word of what the scheduler knows of it."""
        return word_at(self.address + self.layout["filch__seat." + member])


class Pool(Thing):
    def __init__(self, layout, address):
        super().__init__(layout, "filch_pool", address)
        self.number, self.several = 0, False
        self.lost = False  # stacks that a core file should have and has not
        self.workers = [Worker(self, i) for i in range(self.half("workers"))]
        at, size = address + layout["filch_pool.stacks"], layout["filch__stacks"]
        self.stacks = [
            Thing(layout, "filch__stacks", at + i * size)
            for i in range(layout["FILCH__DEPTHS"])
        ]

    def prefix(self):
        return f"{self.number}." if self.several else ""

    def slabs(self):
        """Where stacks end that were ever used: a range for each slab of them."""
        size, first = self.layout["filch__slab"], self.layout["filch__stacks.slab"]
        for stacks in self.stacks:
            stride, slabs = stacks.word("stride"), stacks.half("slabs")
            for i in range(slabs):
                data = stacks.data[first + i * size :]
                slab = Thing(self.layout, "filch__slab", 0, data)
                end = slab.word("end") if i + 1 < slabs else stacks.word("fresh")
                yield range(slab.word("lo") + stride, end + 1, stride)

    def holds(self):
        """How many calls and futures are not over, as filch__pool_holds() counts them."""
        taken, released = (
            self.word("holds." + end) + sum(w.seat("holds." + end) for w in self.workers)
            for end in ("taken", "released")
        )
        return taken - released

    def stacks_made(self):
        return sum(stacks.word("made") for stacks in self.stacks)

    def stack_at(self, address):
        """Number and end of the stack that has this address, or None."""
        before = 0
        for ends in self.slabs():
            if ends and ends[0] - ends.step <= address < ends[-1]:
                i = (address - ends[0] + ends.step) // ends.step
                return before + i + 1, ends[i]
            before += len(ends)
        return None

    def strand_on(self, number, end):
        """The strand on the stack that ends here, or None if it has none now."""
        layout = self.layout
        data = read(end - TOP, TOP)
        hi = word(data, TOP - layout["filch__stack"] + layout["filch__stack.hi"])
        if not hi:
            self.lost = True
            return None
        at = (hi - layout["filch__strand"]) & -layout["FILCH_LINE"]
        top = data[: TOP - (end - at)]
        own = data[len(top) : len(top) + layout["filch__strand"]]
        if not word(own, layout["filch__strand.runs"]):
            return None
        return Strand(self, number, at, own, top)

    def strands(self):
        ends = itertools.chain.from_iterable(self.slabs())
        for number, end in enumerate(ends, 1):
            strand = self.strand_on(number, end)
            if strand:
                yield strand
        yield from self.strands_in_place()

    def strands_in_place(self):
        """Those that run on their worker's own stack for want of another."""
        number = self.stacks_made()
        for worker in self.workers:
            for at in {worker.word("active"), worker.word("places.innermost")} - {0}:
                number += 1
                data = read(at, self.layout["filch__strand"])
                strand = Strand(self, number, at, data, b"")
                if strand.word("runs") and not strand.word("stack"):
                    yield strand


def pools():
    layout = Layout()
    found, at = [], word_at(layout.debug)
    while at:
        found.insert(0, Pool(layout, at))
        at = word_at(at + layout["filch__pool_whole.next"])
    if not found:
        raise gdb.GdbError("There is no pool: none was started yet, or all have ended.")
    for number, pool in enumerate(found, 1):
        pool.number, pool.several = number, len(found) > 1
    return found


# ---- threads ----


def iterate(frame, way="older"):
    while frame is not None:
        yield frame
        frame = getattr(frame, way)()


def name_of(frame):
    return plain(frame.name() or "")


def sp_of(frame):
    return int(frame.read_register("sp"))


@contextlib.contextmanager
def place_kept():
    """In the end that thread, strand and frame are selected that were before."""
    thread, strand = gdb.selected_thread(), pretence.strand
    if thread is None:
        raise gdb.GdbError("There is no process: run the program, or open a core file.")
    level = len(list(iterate(gdb.selected_frame(), "newer"))) - 1
    pretence.end()
    try:
        yield
    finally:
        pretence.end()
        thread.switch()
        if strand:
            pretence.begin(strand)
        next(itertools.islice(iterate(gdb.newest_frame()), level, None)).select()


class Snapshot:
    """Pools, and who runs what: a thread runs the strand on whose stack it is."""

    def __init__(self):
        self.pools, self.runners, self.warned = pools(), None, False
        with place_kept():
            self.threads = [(t, self.sps(t)) for t in gdb.selected_inferior().threads()]
        for worker in itertools.chain.from_iterable(p.workers for p in self.pools):
            lo, hi = worker.word("places.lo"), worker.word("places.hi")
            strand = worker.word("active") and self.at(worker.word("active"))
            worker.thread = self.thread_in(lo, hi) or (strand and strand.thread)

    def sps(self, thread):
        """Of its newest frames: those of a signal handler are on another stack."""
        thread.switch()
        return [sp_of(f) for f in itertools.islice(iterate(gdb.newest_frame()), 8)]

    def thread_in(self, lo, hi):
        """The thread that is between these addresses, or None."""
        for thread, sps in self.threads:
            if any(lo <= sp < hi for sp in sps):
                return thread
        return None

    def thread_near(self, address):
        """On whose stack this is, if it is not a strand's: in words."""
        for worker in itertools.chain.from_iterable(p.workers for p in self.pools):
            if worker.word("places.lo") <= address < worker.word("places.hi") and worker.thread:
                return f"thread {worker.thread.num}"  # which may be on a strand's stack now
        below = [
            (sps[0], thread.num)
            for thread, sps in self.threads
            if sps[0] <= address and not any(p.stack_at(sps[0]) for p in self.pools)
        ]
        return f"thread {max(below)[1]}" if below else "a thread"

    def settled(self, strand):
        for worker in strand.pool.workers:
            if worker.word("active") == strand.address:
                strand.worker = worker
        if strand.top or strand.worker:  # else it waits in place, under what runs there
            strand.thread = self.thread_in(strand.lo, strand.hi)
        return strand

    def strands(self, pool=None):
        for each in [pool] if pool else self.pools:
            yield from map(self.settled, each.strands())
            self.warn(each)

    def warn(self, pool):
        if pool.lost and not self.warned:
            self.warned = True
            print(
                "Stacks are missing in this core file. Those that gdb makes (gcore) end "
                "at the first guard page; one that the kernel writes has all of them."
            )

    def find(self, text):
        """The strand of this number or address."""
        match = re.fullmatch(r"(?:(\d+)\.)?(\d+)", text)
        if not match:
            return self.find_address(text)
        pool, number = int(match.group(1) or 1), int(match.group(2))
        for each in self.pools[pool - 1 : pool] if pool else ():
            ends = itertools.chain.from_iterable(each.slabs())
            found = [
                each.strand_on(number, end)
                for end in itertools.islice(ends, max(number - 1, 0), number)
            ]
            for strand in itertools.chain(found, each.strands_in_place()):
                if strand and strand.number == number:
                    return self.settled(strand)
            self.warn(each)
        raise gdb.GdbError(f"There is no strand {text}; see 'filch strands -all'.")

    def find_address(self, text):
        try:
            at = int(gdb.parse_and_eval(text))
        except gdb.error as error:
            raise gdb.GdbError(
                f"'{text}' is neither the number nor the address of a strand: {error}"
            ) from None
        strand = self.at(at)
        if not strand:
            raise gdb.GdbError(f"There is no strand at {at:#x}; see 'filch strands'.")
        return strand

    def at(self, address):
        """The strand that lies at this address, or on whose stack it is, or None."""
        for pool in self.pools:
            stack = pool.stack_at(address)
            if stack:
                strand = pool.strand_on(*stack)
                return strand and self.settled(strand)
            for strand in pool.strands_in_place():
                if strand.address == address:
                    return self.settled(strand)
        return None

    def runner_of(self, record):
        """The strand that was begun for this record, or None."""
        if self.runners is None:
            self.runners = {s.word("record"): s for s in self.strands()}
        return self.runners.get(record)

    def chosen(self, text):
        """The strand that is named; else the one that is looked at, else the thread's."""
        if text:
            return self.find(text)
        if pretence.strand:
            return pretence.strand
        for strand in self.strands():
            if strand.thread and strand.thread.num == gdb.selected_thread().num:
                return strand
        raise gdb.GdbError("The selected thread runs no strand; give the number of one.")


# ---- showing a strand that is stopped ----


class FrameId:
    def __init__(self, sp, pc):
        self.sp, self.pc = sp, pc


def register_value(value):
    return gdb.Value(value).cast(gdb.lookup_type("unsigned long"))


class Pretence(Unwinder):
    """While it lasts, the newest frame of the thread that was selected when it began has
    been called by the strand, there where that stopped. It is a frame filter, too, which
    leaves that newest frame out of backtraces."""

    def __init__(self):
        super().__init__("filch")
        self.priority = 100
        self.end()
        gdb.unwinder.register_unwinder(None, self, replace=True)
        gdb.frame_filters[self.name] = self

    def begin(self, strand):
        self.kept, self.strand = strand.kept(), strand
        newest = gdb.newest_frame()
        self.newest = sp_of(newest), newest.pc()
        self.enabled = True
        gdb.invalidate_cached_frames()

    def end(self, *_):
        self.strand, self.enabled = None, False
        gdb.invalidate_cached_frames()

    def __call__(self, pending):
        sp, pc = (int(pending.read_register(r)) for r in ("sp", "pc"))
        if (sp, pc) != self.newest:
            return None
        # Below the strand's frames: gdb takes a stack that goes back for a corrupt one.
        below = FrameId(register_value(self.strand.sp() - 16), register_value(pc))
        info = pending.create_unwind_info(below)
        for register, value in self.kept.items():
            info.add_saved_register(register, register_value(value))
        return info

    def is_thread(self, frame):
        return sp_of(frame) == self.newest[0]

    def filter(self, frames):
        return itertools.dropwhile(lambda f: self.is_thread(f.inferior_frame()), frames)

    def frame(self):
        """The strand's newest frame."""
        for frame in iterate(gdb.newest_frame()):
            if not self.is_thread(frame):
                return frame
        raise gdb.GdbError(f"gdb finds no frames of strand {self.strand}.")


def show(strand):
    """Selects the newest frame of the strand, and returns it."""
    pretence.end()
    if strand.thread:
        strand.thread.switch()
        frame = gdb.newest_frame()
    elif not strand.top:
        raise gdb.GdbError(
            f"Strand {strand} got no stack of its own and waits on its worker's, "
            "under what that does now: see the thread."
        )
    else:
        pretence.begin(strand)
        frame = pretence.frame()
    frame.select()
    return frame


# ---- where it is ----

# Of the library's internal functions, those that macros have the user's code call.
BY_MACROS = re.compile(r"filch__(run|join_slow|abandon|spawn_eager|(group|future)_\w+)$")
# What FILCH_TASK makes to join with.
MADE = re.compile(r"(?!filch__)(.+)__(wait|join|join_at)$")
# Those of the library that call the user's task.
RUNNERS = re.compile(r"(filch__strand_)?run_(record|loose|for|in_group|call|future)$|filch__context_start")
SYSTEM = re.compile(r"/(libc|libm|libpthread|ld|ld-linux[^/]*)[-.]")

# The function that it has called to wait, the task that it joins, the user's frame.
Where = collections.namedtuple("Where", "waits joins user")


def target_of(pc):
    """Where the call goes that returns to pc; None if the code does not tell."""
    if architecture() == "aarch64":
        code = half(read(pc - 4, 4))
        offset = ((code & 0x3FFFFFF) ^ 0x2000000) - 0x2000000
        return pc - 4 + 4 * offset if code >> 26 == 0x25 else None  # bl
    code = read(pc - 6, 6)
    offset = struct.unpack_from("<i", code, 2)[0]
    if code[1] == 0xE8:  # call
        return pc + offset
    return word_at(pc + offset) if code[:2] == b"\xff\x15" else None  # by a table


def called_by(frame):
    """The function that the frame has called, "" if not known. The next frame may be
    another's, reached by a jump."""
    try:
        target = target_of(frame.pc())
        return symbol_at(target) if target else ""
    except gdb.error:
        return ""


def file_of(frame):
    """The shared library that it is in, or ""."""
    return gdb.solib_name(frame.pc()) or ""


def line_of(frame):
    sal, name = frame.find_sal(), name_of(frame) or hex(frame.pc())
    if not sal.symtab:
        return name
    return f"{name} ({os.path.basename(sal.symtab.filename)}:{sal.line})"


def marks_of(strand, frames):
    """Where the return addresses of these frames lie, counted from the strand's stack
    pointer, and what they are; None if that cannot be told."""
    sp = lo = strand.sp()
    marks = []
    for frame in frames[1:]:
        hi = sp_of(frame)
        if hi <= lo:
            continue  # inlined
        back = struct.pack("<Q", frame.pc())
        at = strand.stack(lo, hi - lo).rfind(back)
        if at < 0:
            return None
        marks.append((lo - sp + at, back))
        lo = hi
    return marks


def newest_frames(strand):
    return list(itertools.islice(iterate(show(strand)), FRAMES))


class Frames:
    """Tells the library's frames from those of its user."""

    def __init__(self):
        self.root = None  # of the library's sources, if it has debug information
        self.shapes = collections.defaultdict(list)
        symbol = gdb.lookup_global_symbol("filch__suspend")
        name = symbol.symtab.fullname() if symbol and symbol.symtab else ""
        if name.endswith("strand/strand.c"):
            self.root = name[: -len("strand/strand.c")]

    def is_known(self, frame):
        """Whether it is the library's by its name, its source or its file."""
        name, symtab = name_of(frame), frame.find_sal().symtab
        if MADE.match(name):
            return True
        if symtab and self.root and symtab.fullname().startswith(self.root):
            return True
        if symtab:
            return name.startswith("filch_") and "filch/" in symtab.filename
        return name.startswith("filch_") or bool(re.search("/libfilch", file_of(frame)))

    def is_user(self, frame):
        """Of a strand that is stopped. What calls functions of the library that nobody
        else calls is the library's, too, though it may have no debug information."""
        if RUNNERS.match(name_of(frame)) or self.is_known(frame):
            return False
        called = called_by(frame)
        if frame.find_sal().symtab or MADE.match(called) or BY_MACROS.match(called):
            return True
        return not called or bool(re.match("filch_[a-z]", called))

    def running(self, frames):
        """The user's frame of a strand that runs, one with a line if there is any."""
        user = [f for f in frames if not SYSTEM.search(file_of(f))]
        user = [f for f in user if not self.is_known(f)]
        return next((f for f in user if f.find_sal().symtab), (user or frames)[0])

    def stopped(self, frames):
        """Where a strand is that is stopped, and the frames that tell so. The user's
        frame may be gone, if the wait was the last it had to do; then it is None."""
        last = len(frames) - 1
        caller = next(
            (
                i
                for i, f in enumerate(frames)
                if i and (RUNNERS.match(name_of(f)) or self.is_user(f))
            ),
            last,
        )
        user = next((i for i in range(caller, last) if self.is_user(frames[i])), None)
        called = called_by(frames[caller])
        for frame in frames[:caller] if not called else ():
            name = name_of(frame)
            called = name if name.startswith("filch_") or MADE.match(name) else called
        made = MADE.match(called)
        where = Where(
            "" if made else re.sub("_until$", "", called),
            made.group(1) if made else "",
            None if user is None else line_of(frames[user]),
        )
        return where, frames if user is None else frames[: user + 1]

    def of(self, strand):
        """Strands that have stopped in the same place look alike, so one is unwound."""
        try:
            if strand.thread:
                return Where("", "", line_of(self.running(newest_frames(strand))))
            pc, sp = list(strand.kept().values())[1], strand.sp()
            for where, marks in self.shapes[pc]:
                if all(strand.stack(sp + at, 8) == back for at, back in marks):
                    return self.filled(strand, where)
            where, frames = self.stopped(newest_frames(strand))
            marks = marks_of(strand, frames)
        except (gdb.GdbError, gdb.error) as error:
            return Where("", "", f"({error})")
        if marks is not None:
            self.shapes[pc].append((where, marks))
        return self.filled(strand, where)

    def filled(self, strand, where):
        if where.user:
            return where
        name, function = strand.task()
        name = symbol_at(function) if function else name
        return where._replace(user=f"{name} (in its last call)")


# ---- what it waits for ----


def found_in(strand, kind, member):
    """What may be such structs in its frames: this member is the strand itself."""
    layout, sp = strand.layout, strand.sp()
    data, name, at = strand.stack(sp, DEEP), struct.pack("<Q", strand.address), -1
    while True:
        at = data.find(name, at + 1)
        if at < 0:
            return
        begin = at - layout[f"{kind}.{member}"]
        if begin >= 0 and begin % 8 == 0 and begin + layout[kind] <= len(data):
            yield Thing(layout, kind, sp + begin, data[begin : begin + layout[kind]])


def wait_of(strand):
    """Its struct filch__wait, or None."""
    for wait in found_in(strand, "filch__wait", "ticket.strand"):
        if wait.word("pool") == strand.pool.address and wait.half("waiters") <= 64:
            return wait
    return None


def joined_by(strand):
    """The address of the record for whose end it waits, or None."""
    for record in found_in(strand, "filch__record", "sync"):
        if record.address % 16 == 0 and record.word("task") & 1 and is_record(record):
            return record.address
    return None


def is_record(record):
    try:
        return record.layout.task(record.word("task")).is_real()
    except gdb.MemoryError:
        return False


def descriptor_of(pool, address):
    """Of which descriptor this is the list of those who wait; None if of none."""
    layout, driver = pool.layout, pool.word("driver")
    if not driver or "filch__slot" not in layout:
        return None
    slots = half(read(driver + layout["filch__reactor.slots"], 4))
    first, size = word_at(driver + layout["filch__reactor.slot"]), layout["filch__slot"]
    return (address - first) // size if first <= address < first + slots * size else None


def object_of(snapshot, strand, waits):
    """What it waits for: a descriptor, a future, a lock and who has it."""
    layout = strand.layout
    if waits == "filch_group_wait":
        groups = found_in(strand, "filch_group", "waiter")
        group = next((g for g in groups if g.word("pool") == strand.pool.address), None)
        return f", {group.word('pending')} tasks left" if group else ""
    wait = wait_of(strand)
    if not wait or wait.half("waiters") != 1:
        return ""
    at = Thing(layout, "filch__waiter", wait.word("waiter")).word("list")
    if descriptor_of(strand.pool, at) is not None:
        return f" of descriptor {descriptor_of(strand.pool, at)}"
    if "await" in waits and "filch_future.head" in layout:
        future = at - layout["filch_future.waiters"]
        runner = snapshot.runner_of(future + layout["filch_future.head"])
        return f" of {runner.task()[0]}, strand {runner}" if runner else f" {future:#x}"
    kind = re.match("filch_(mutex|rwlock|event|semaphore|condition|channel)_", waits)
    if not kind:
        return ""
    owners = {"mutex": "filch_mutex.owner", "rwlock": "filch_rwlock.writer"}
    member = owners.get(kind.group(1))
    owner = word_at(at + layout[member]) if member else 0
    if not owner:
        return f" {at:#x}"
    holder = snapshot.at(owner)
    return f" {at:#x}, held by " + (f"strand {holder}" if holder else "a thread outside")


def doing(snapshot, strand, where, brief=False):
    """What it waits for, or what runs it."""
    if strand.thread:
        worker = f"worker {strand.worker}, " if strand.worker else ""
        return "a worker" if brief else f"{worker}thread {strand.thread.num}"
    if not strand.top:
        return "something, in place"
    if strand.state() == "ready":
        return f"a worker; was in {where.waits}" if where.waits else "a worker"
    if where.joins:
        runner = None if brief else snapshot.runner_of(joined_by(strand))
        return f"joins {where.joins}" + (f", strand {runner}" if runner else "")
    try:
        return where.waits + ("" if brief else object_of(snapshot, strand, where.waits))
    except gdb.MemoryError:
        return where.waits


def origin(snapshot, strand):
    """The tasks above it, a line each."""
    while strand:
        at, name = strand.word("record"), strand.task()[0]
        sync = Thing(strand.layout, "filch__record", at).word("sync")
        above = snapshot.at(at)
        if sync & strand.layout["FILCH__IS_ROOT"]:
            caller = f"strand {above}" if above else snapshot.thread_near(at)
            yield f"begun for {name}, which {caller} has called by FILCH_RUN"
        elif above:
            joins = "now joins" if sync == above.address else "has not joined yet"
            yield f"begun for {name}, which strand {above} has spawned and {joins}"
        else:
            yield f"begun for {name}, a future or a task of a group"
        strand = above


# ---- commands ----


def table(rows, head):
    rows = [head] + [[str(x) for x in row] for row in rows]
    wide = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        print("  ".join(x.ljust(n) for x, n in zip(row, wide)).rstrip())


class Filch(gdb.Command):
    """Strands, workers and tasks of Filch.

    filch strands [POOL] [-all]          strands; groups of them if they are many
    filch bt [STRAND | all] [...]        backtraces of strands; options as for bt
    filch frame [STRAND [LEVEL]]         look at a strand: bt, up, info locals; back
    filch apply STRAND... | all COMMAND  run a command of gdb on strands
    filch tasks [STRAND]                 what a strand has spawned and not joined
    filch workers [POOL]                 workers, what they run, their counters
    filch pools                          pools

STRAND is a number of the list (POOL.NUMBER if there are several pools), or an address."""

    def __init__(self):
        super().__init__("filch", gdb.COMMAND_STACK, prefix=True)


class Command(gdb.Command):
    def __init__(self):
        verb = type(self).__name__.lower()
        super().__init__(f"filch {verb}", gdb.COMMAND_STACK, gdb.COMPLETE_NONE)

    def invoke(self, text, from_tty):
        try:
            self.run(text.split())
        except gdb.MemoryError as error:
            raise gdb.GdbError(
                f"{error}: what should be there is not in this process or core file."
            ) from None


def pools_of(snapshot, words):
    """The pool that is asked for, or all."""
    if not words:
        return snapshot.pools
    for pool in snapshot.pools:
        if words == [str(pool.number)]:
            return [pool]
    raise gdb.GdbError(f"There is no pool '{' '.join(words)}'; see 'filch pools'.")


class Strands(Command):
    """List strands: filch strands [POOL] [-all]
The task that each was begun for or runs, what it waits for, the user's innermost frame.
More than 100 are shown as groups of those that look alike, unless -all is given."""

    def run(self, words):
        snapshot = Snapshot()
        chosen = pools_of(snapshot, [w for w in words if w != "-all"])
        strands = [s for pool in chosen for s in snapshot.strands(pool)]
        if not strands:
            print("No strand runs or waits.")
            return
        with place_kept():
            if "-all" in words or len(strands) <= MANY:
                self.each(snapshot, strands)
            else:
                self.groups(snapshot, strands)

    def each(self, snapshot, strands):
        frames, rows = Frames(), []
        for s in strands:
            where = frames.of(s)
            what = doing(snapshot, s, where)
            rows.append((s, hex(s.address), s.state(), s.task()[0], what, where.user))
        head = ["Strand", "Address", "State", "Task", "Waits for / runs on", "Where"]
        table(rows, head)

    def groups(self, snapshot, strands):
        frames, groups = Frames(), collections.defaultdict(list)
        for s in strands:
            where = frames.of(s)
            what = doing(snapshot, s, where, True)
            groups[s.state(), s.task()[0], what, where.user].append(s)
        alike = sorted(groups.items(), key=lambda group: -len(group[1]))
        rows = [(len(members), *key, members[0]) for key, members in alike]
        head = ["Strands", "State", "Task", "Waits for / runs on", "Where", "First"]
        table(rows, head)
        print(f"{len(strands)} strands; 'filch strands -all' lists each.")


class Bt(Command):
    """Backtrace of a strand: filch bt [STRAND | all] [options of bt]
Without one, that of the strand that is looked at, or of the selected thread. First come
the tasks above it."""

    def run(self, words):
        snapshot = Snapshot()
        which = words.pop(0) if words and not words[0].startswith("-") else None
        strands = snapshot.strands() if which == "all" else [snapshot.chosen(which)]
        with place_kept():
            frames = Frames()
            for strand in strands:
                self.one(snapshot, strand, frames.of(strand), words)

    def one(self, snapshot, strand, where, words):
        what = doing(snapshot, strand, where)
        print(f"Strand {strand} ({strand.address:#x}), {strand.state()}: {what}")
        for line in origin(snapshot, strand):
            print(f"  {line}")
        try:
            show(strand)
        except gdb.GdbError as error:
            print(error)
        else:
            gdb.execute(" ".join(["bt"] + words))


class Apply(Command):
    """Run a command of gdb on strands: filch apply STRAND... | all COMMAND
As with thread apply; the frame that is selected is the strand's newest."""

    def run(self, words):
        snapshot, strands, given_all = Snapshot(), [], words[:1] == ["all"]
        if given_all:
            strands, words = list(snapshot.strands()), words[1:]
        while words and re.fullmatch(r"[\d.]+|0x[0-9a-f]+", words[0]):
            strands.append(snapshot.find(words.pop(0)))
        if words and not strands and given_all:
            raise gdb.GdbError("There are no strands")
        if not strands or not words:
            raise gdb.GdbError("Give strands or all, and a command: filch apply all bt 3")
        with place_kept():
            for strand in strands:
                print(f"Strand {strand} ({strand.task()[0]}):")
                show(strand)
                gdb.execute(" ".join(words))


class Frame(Command):
    """Look at a strand: filch frame [STRAND [LEVEL]]
bt, up, down, frame, info locals and print are about that strand then, until the program
goes on, or filch frame without a strand goes back. Look only; do not step from there."""

    def run(self, words):
        if words:
            strand, frames = Snapshot().find(words[0]), Frames()
            newest = newest_frames(strand)
            if strand.thread:
                frames.running(newest).select()
            else:
                next(filter(frames.is_user, newest[1:]), newest[0]).select()
        else:
            pretence.end()
            gdb.newest_frame().select()
        gdb.execute(" ".join(["frame"] + words[1:]))


class Tasks(Command):
    """Tasks that a strand has spawned and not joined: filch tasks [STRAND]
Private ones are known to it alone, exposed ones can be stolen or are, the one it joins is
being waited for. Arguments are shown if there is debug information of the task."""

    def run(self, words):
        snapshot = Snapshot()
        strand = snapshot.chosen(words[0] if words else None)
        rows = [self.row(snapshot, *found) for found in self.records(strand)]
        if rows:
            table(rows, ["Record", "State", "Task", "Run by", "Arguments"])
        else:
            print(f"Strand {strand} has spawned nothing that is not joined.")

    def records(self, strand):
        """From the newest frame to the oldest; then those of groups."""
        layout, joined = strand.layout, None if strand.thread else joined_by(strand)
        begin = (self.lowest(strand) + 15) & -16
        data, size = strand.stack(begin, strand.hi - begin), layout["filch__record"]
        for at in range(0, len(data) - size + 1, 16):
            state = "joined" if begin + at == joined else self.state(layout, word(data, at))
            if not state:
                continue
            record = Thing(layout, "filch__record", begin + at, data[at : at + size])
            if is_record(record):
                yield record, state
        at = strand.word("loose.last")
        while at:
            inner = word_at(at - layout["filch__loose.link"] + layout["filch__loose.inner"])
            yield Thing(layout, "filch__record", inner), "group's"
            at = word_at(at + layout["filch__link.prev"])

    def state(self, layout, mark):
        """A private record has a secret plus its address, of which only the lowest bits are known here."""
        private, exposed, listed = (layout[f"FILCH__{s}"] for s in ("LIVE", "EXPOSED", "LISTED"))
        kind = mark & 15 & ~listed
        if kind == private:
            return "private"
        return "exposed" if mark < 16 and kind == exposed else None

    def lowest(self, strand):
        """Where its frames begin."""
        if not strand.thread:
            return strand.sp()
        with place_kept():
            sps = map(sp_of, iterate(show(strand)))  # a signal handler is elsewhere
            return next((sp for sp in sps if strand.lo <= sp < strand.hi), strand.hi)

    def row(self, snapshot, record, state):
        runner = snapshot.runner_of(record.address) if state != "private" else None
        if state == "exposed" and record.word("sync") == record.layout["FILCH__DONE"]:
            state = "done"
        task = record.layout.task(record.word("task"))
        by = f"strand {runner}" if runner else ""
        return (hex(record.address), state, task.name_for(record.address), by,
                self.arguments(task.name, record.address))

    def arguments(self, name, at):
        try:
            kind = gdb.lookup_type(f"struct {name}__record").pointer()
            return str(gdb.Value(at).cast(kind).dereference()["args"])
        except gdb.error:
            return ""


class Workers(Command):
    """List workers: filch workers [POOL]
Ready: strands and others that wait for this worker or a thief. Shelf: strands that
stopped here and were not looked through for tasks. The rest are counters, as in
filch/pool.h."""

    COUNTERS = ("exposed", "stolen", "suspended", "resumed", "mugged", "parked")

    def run(self, words):
        snapshot = Snapshot()
        chosen = pools_of(snapshot, words)
        rows = [self.row(snapshot, w) for pool in chosen for w in pool.workers]
        head = ["Worker", "Thread", "State", "Strand", "Task", "Ready", "Shelf"]
        table(rows, head + [c.capitalize() for c in self.COUNTERS])

    def row(self, snapshot, w):
        strand = snapshot.at(w.word("active")) if w.word("active") else None
        parked = {
            w.layout["FILCH__IDLE"]: "sleeps",
            w.layout["FILCH__WATCHING"]: "waits for events",
        }
        state = "runs" if strand else parked.get(w.parked, "looks for work")
        head, tail = (w.seat("ready." + end) for end in ("head", "tail"))
        what = [strand, strand.task()[0]] if strand else ["-", "-"]
        counters = [w.word(f"counters.{c}") for c in self.COUNTERS]
        thread = w.thread.num if w.thread else "-"
        return [w, thread, state, *what, tail - head, w.half("shelf.count"), *counters]


class Pools(Command):
    """List pools: filch pools"""

    def run(self, words):
        rows = []
        for p in pools_of(Snapshot(), words):
            strands = sum(1 for _ in p.strands())
            counts = len(p.workers), strands, p.stacks_made(), p.holds()
            rows.append((p.number, hex(p.address), *counts))
        head = ["Pool", "Address", "Workers", "Strands", "Stacks", "Calls and futures"]
        table(rows, head)


pretence = Pretence()
gdb.events.cont.connect(pretence.end)
gdb.events.exited.connect(pretence.end)
gdb.execute(f"handle {ASK} nostop noprint pass", to_string=True)
Filch()
for command in Command.__subclasses__():
    command()
