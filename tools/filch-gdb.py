# SPDX-License-Identifier: MIT
"""Filch in gdb: strands, workers and tasks of a process that is stopped, or of a core file.

    (gdb) source tools/filch-gdb.py
    (gdb) help filch

Nothing is written to the process and nothing is called in it. Where things lie in memory is
told by the library itself (src/sched/debug.c), so it may be one without debug information.
A strand that is stopped is shown by an unwinder, which for a moment has gdb believe that it
had called the selected thread's newest frame.
"""
import collections
import contextlib
import itertools
import os
import re
import struct

import gdb
from gdb.unwinder import Unwinder

ASK = "SIG42"  # by which workers ask each other for tasks, unless FILCH_SIGNAL says otherwise
MANY = 100  # strands that are listed one by one unless -all is given
TOP = 4096  # of a stack, what is read at once: the strand, and its frames if they are few
DEEP = 1 << 16  # how far to look through a stack for a wait
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


def address_of(symbol):
    try:
        return int(gdb.parse_and_eval(f"(unsigned long)&{symbol}"))
    except gdb.error:
        return None


class Layout(dict):
    """Offsets, sizes and constants by their names in C."""

    def __init__(self):
        super().__init__()
        self.debug = address_of("filch__debug")
        if self.debug is None:
            raise gdb.GdbError(
                "There is no Filch in this program, or its library is not loaded yet, or "
                "the program was stripped of its symbols (filch__debug is not found)."
            )
        self.load(self.debug + 8)
        self.has_io = address_of("filch__debug_io")
        if self.has_io:
            self.load(self.has_io)

    def load(self, at):
        while True:
            name = read(at, 44).split(b"\0")[0].decode()
            if not name:
                return
            self[name] = half(read(at + 44, 4))
            at += 48


class Thing:
    """A struct of the library that was read at once."""

    def __init__(self, layout, kind, address, data=None):
        self.layout, self.kind, self.address = layout, kind, address
        self.data = data if data is not None else read(address, layout[kind])

    def word(self, member):
        return word(self.data, self.layout[f"{self.kind}.{member}"])

    def half(self, member):
        return half(self.data, self.layout[f"{self.kind}.{member}"])


# ---- what there is ----


class Strand(Thing):
    def __init__(self, pool, number, address, data, top):
        super().__init__(pool.layout, "filch__strand", address, data)
        self.pool, self.number, self.top = pool, number, top
        self.runs = self.word("runs")
        self.lo, self.hi = self.word("lo"), self.word("hi")
        self.thread = self.worker = None  # of those that run

    def name(self):
        return f"{self.pool.number}.{self.number}" if self.pool.several else self.number

    def state(self):
        if self.thread:
            return "active"
        state = self.half("state") & ((1 << self.layout["FILCH__STATE_BITS"]) - 1)
        return "waits" if state == self.layout["FILCH__SUSPENDED"] else "ready"

    def context(self):
        """The registers it has kept."""
        at = self.layout.get("filch__strand.fiber.context")
        names = KEPT.get(architecture())
        if at is None or not names:
            raise gdb.GdbError(
                "This library switches strands by swapcontext(), or this is a processor that "
                "this script does not know: only strands that run now can be shown."
            )
        return dict(zip(names, struct.unpack_from("<4Q", self.data, at)))

    def stack(self, at, size):
        """Of its stack, what lies there and is not above it."""
        begin = self.hi - len(self.top)
        size = min(size, self.hi - at)
        if at >= begin:
            return self.top[at - begin : at - begin + size]
        return read(at, size)

    def stack_word(self, at):
        return word(self.stack(at, 8))


class Worker(Thing):
    def __init__(self, pool, index):
        size = pool.layout["filch__worker"]
        super().__init__(pool.layout, "filch__worker", pool.word("worker") + index * size)
        self.pool, self.index = pool, index
        self.thread = None
        parker = pool.word("lot.parker") + index * pool.layout["filch__parker"]
        self.parked = half(read(parker + pool.layout["filch__parker.state"], 4))


class Pool(Thing):
    def __init__(self, layout, address):
        super().__init__(layout, "filch_pool", address)
        self.number, self.several = 0, False
        self.missing = 0  # stacks that were used, but are not in a core file
        self.workers = [Worker(self, i) for i in range(self.half("workers"))]

    def stack_ends(self):
        """Where each stack ends that was ever used: slabs of them, as ranges."""
        stride, slabs = self.word("stacks.stride"), self.half("stacks.slabs")
        for i in range(slabs):
            at = self.layout["filch_pool.stacks.slab"] + i * self.layout["filch__slab"]
            lo = word(self.data, at + self.layout["filch__slab.lo"])
            end = word(self.data, at + self.layout["filch__slab.end"])
            if i + 1 == slabs:
                end = self.word("stacks.fresh")
            yield range(lo + stride, end + 1, stride)

    def stack_at(self, address):
        """Number and end of the stack that has this address, or None."""
        before = 0
        for ends in self.stack_ends():
            if ends and ends[0] - ends.step <= address < ends[-1]:
                i = (address - ends[0] + ends.step) // ends.step
                return before + i + 1, ends[i]
            before += len(ends)
        return None

    def strand_of(self, number, end):
        """The strand of the stack that ends here, or None if it has none now."""
        layout = self.layout
        data = read(end - TOP, TOP)
        hi = word(data, TOP - layout["filch__stack"] + layout["filch__stack.hi"])
        at = (hi - layout["filch__strand"]) & -layout["FILCH_LINE"]
        own = data[TOP - (end - at) :][: layout["filch__strand"]]
        self.missing += not hi
        if not hi or not word(own, layout["filch__strand.runs"]):
            return None
        return Strand(self, number, at, own, data[: TOP - (end - at)])

    def strands(self):
        ends = itertools.chain.from_iterable(self.stack_ends())
        for number, end in enumerate(ends, 1):
            strand = self.strand_of(number, end)
            if strand:
                yield strand
        yield from self.strands_in_place(self.word("stacks.made"))

    def strands_in_place(self, number):
        """Those that run on their worker's own stack for want of another."""
        size = self.layout["filch__strand"]
        for worker in self.workers:
            for at in {worker.word("active"), worker.word("in_place")} - {0}:
                data = read(at, size)
                if word(data, self.layout["filch__strand.runs"]) and not word(
                    data, self.layout["filch__strand.stack"]
                ):
                    number += 1
                    yield Strand(self, number, at, data, b"")


def pools():
    layout = Layout()
    found, at = [], word(read(layout.debug, 8))
    while at:
        found.append(Pool(layout, at))
        at = found[-1].word("next_pool")
    if not found:
        raise gdb.GdbError("There is no pool yet: the program has started none, or ended all.")
    for number, pool in enumerate(reversed(found), 1):
        pool.number, pool.several = number, len(found) > 1
    return found[::-1]


def architecture():
    name = gdb.selected_inferior().architecture().name()
    return "x86-64" if name.startswith("i386:x86-64") else name


def name_of_task(task):
    """What FILCH_TASK was given, or filch_go(): that one's name is that of nobody."""
    at = task & ~1
    if not at:
        return "nothing"
    try:
        return gdb.Value(word(read(at, 8))).cast(string_type()).string()
    except (gdb.error, UnicodeDecodeError):
        return hex(at)


def string_type():
    return gdb.lookup_type("char").pointer()


# ---- threads ----


def level_of(frame):
    return sum(1 for _ in iterate(frame, "newer")) - 1


def iterate(frame, way):
    while frame is not None:
        yield frame
        frame = getattr(frame, way)()


def plain(name):
    """A name as the user knows it. Without debug information gdb takes x__y for one in Ada, and
    a part that the compiler has split off for another function."""
    name = re.sub(r"(\.(part|cold|isra|constprop|lto_priv)(\.\d+)?)+$", "", name)
    return name.replace("@plt", "").replace(".", "__")


def name_of(frame):
    return frame.function().name if frame.function() else plain(frame.name() or "")


def sp_of(frame):
    return int(frame.read_register("sp"))


@contextlib.contextmanager
def place_kept():
    """What is selected now is selected again in the end."""
    thread, shown, level = gdb.selected_thread(), pretence.strand, 0
    if thread is None:
        raise gdb.GdbError("There is no process: run the program, or open a core file.")
    level = level_of(gdb.selected_frame())
    pretence.end()
    try:
        yield
    finally:
        pretence.end()
        thread.switch()
        if shown:
            pretence.begin(shown)
        frames = iterate(gdb.newest_frame(), "older")
        next(itertools.islice(frames, level, None)).select()


class Snapshot:
    """Pools, and who runs what: a thread runs the strand on whose stack it is."""

    def __init__(self):
        self.pools, self.warned, self.runners = pools(), False, None
        with place_kept():
            self.stacks = [self.place_of(t) for t in gdb.selected_inferior().threads()]
        for pool in self.pools:
            for worker in pool.workers:
                lo, hi = worker.word("thread_lo"), worker.word("thread_hi")
                worker.thread = self.thread_in(lo, hi) or self.thread_of(worker.word("active"))

    def place_of(self, thread):
        """The thread, and the stack pointers of its newest frames: those of a signal handler
        are on another stack."""
        thread.switch()
        newest = itertools.islice(iterate(gdb.newest_frame(), "older"), 8)
        return thread, [sp_of(f) for f in newest]

    def thread_in(self, lo, hi):
        return next((t for t, sps in self.stacks if any(lo <= sp < hi for sp in sps)), None)

    def thread_of(self, strand):
        if not strand:
            return None
        layout = self.pools[0].layout
        data = read(strand, layout["filch__strand"])
        lo, hi = (word(data, layout[f"filch__strand.{x}"]) for x in ("lo", "hi"))
        return self.thread_in(lo, hi)

    def thread_near(self, address):
        """On whose stack this is, in words."""
        below = [
            (sps[0], t.num)
            for t, sps in self.stacks
            if sps[0] <= address and not any(p.stack_at(sps[0]) for p in self.pools)
        ]
        return f"thread {max(below)[1]}" if below else "a thread"

    def strands(self, pool=None):
        for each in [pool] if pool else self.pools:
            for strand in each.strands():
                yield self.settled(strand)
            self.warn(each)

    def warn(self, pool):
        if pool.missing and not self.warned:
            self.warned = True
            print(
                "Stacks are missing in this core file. Those of gdb (gcore) end at the first guard "
                "page; one that the kernel writes (ulimit -c unlimited, kill -ABRT) has all."
            )

    def settled(self, strand):
        for thread, sps in self.stacks:
            if any(strand.lo <= sp < strand.hi for sp in sps):
                strand.thread = thread
                strand.worker = next(
                    (w for w in strand.pool.workers if w.word("active") == strand.address), None
                )
        return strand

    def find(self, text):
        """The strand of this number or address."""
        match = re.fullmatch(r"(?:(\d+)\.)?(\d+)", text)
        if not match:
            return self.find_address(text)
        wanted, number = match.groups()
        for pool in self.pools:
            if int(wanted or 1) == pool.number:
                ends = enumerate(itertools.chain.from_iterable(pool.stack_ends()), 1)
                found = [pool.strand_of(n, end) for n, end in ends if n == int(number)]
                found += pool.strands_in_place(pool.word("stacks.made"))
                for strand in found:
                    if strand and strand.number == int(number):
                        return self.settled(strand)
                self.warn(pool)
        raise gdb.GdbError(f"There is no strand {text}; 'filch strands -all' lists them.")

    def find_address(self, text):
        try:
            at = int(gdb.parse_and_eval(text))
        except gdb.error as error:
            raise gdb.GdbError(
                f"'{text}' is neither the number nor the address of a strand: {error}"
            ) from None
        strand = self.at(at)
        if not strand:
            raise gdb.GdbError(f"There is no strand at {at:#x}; 'filch strands -all' lists them.")
        return strand

    def at(self, address):
        """The strand that lies at this address, or on whose stack it is."""
        for pool in self.pools:
            stack = pool.stack_at(address)
            if stack:
                strand = pool.strand_of(*stack)
                return strand and self.settled(strand)
            for strand in pool.strands_in_place(pool.word("stacks.made")):
                if strand.address == address:
                    return self.settled(strand)
        return None

    def runner_of(self, record):
        """The strand that was begun for this record, or None."""
        if self.runners is None:
            self.runners = {s.word("record"): s for s in self.strands()}
        return self.runners.get(record)

    def here(self):
        """The strand of the selected thread."""
        for strand in self.strands():
            if strand.thread and strand.thread.num == gdb.selected_thread().num:
                return strand
        raise gdb.GdbError("The selected thread runs no strand; give a number.")


# ---- showing a strand that is stopped ----


class FrameId:
    def __init__(self, sp, pc):
        self.sp, self.pc = sp, pc


class Pretence(Unwinder):
    """While it lasts, the newest frame of the thread that was selected has been called by
    the strand, there where that stopped. The frame filter leaves that newest frame out."""

    name, priority = "filch", 100  # of the frame filter

    def __init__(self):
        super().__init__("filch")
        self.end()
        gdb.unwinder.register_unwinder(None, self, replace=True)
        gdb.frame_filters[self.name] = self

    def begin(self, strand):
        newest = gdb.newest_frame()
        self.newest = sp_of(newest), newest.pc()
        self.kept = strand.context()
        self.strand, self.enabled = strand, True
        gdb.invalidate_cached_frames()

    def end(self, *_):
        self.strand, self.enabled = None, False
        gdb.invalidate_cached_frames()

    def __call__(self, pending):
        sp, pc = (int(pending.read_register(r)) for r in ("sp", "pc"))
        if (sp, pc) != self.newest:
            return None
        kept = iter(self.kept.items())
        # Below the strand's frames, since gdb takes stacks that go back for corrupt ones.
        info = pending.create_unwind_info(FrameId(long_value(self.kept_sp() - 16), long_value(pc)))
        for register, value in kept:
            info.add_saved_register(register, long_value(value))
        return info

    def kept_sp(self):
        return next(iter(self.kept.values()))

    def filter(self, frames):
        return itertools.dropwhile(lambda f: self.is_thread(f.inferior_frame()), frames)

    def is_thread(self, frame):
        return sp_of(frame) == self.newest[0]


def long_value(value):
    return gdb.Value(value).cast(gdb.lookup_type("unsigned long"))


@contextlib.contextmanager
def shown(strand):
    """The strand's newest frame, as if it was a thread of its own. In place_kept() only."""
    pretence.end()
    if strand.thread:
        strand.thread.switch()
        frame = gdb.newest_frame()
    elif not strand.top:
        raise gdb.GdbError(
            f"Strand {strand.name()} waits on its worker's own stack, under what that does now."
        )
    else:
        pretence.begin(strand)
        frame = next(
            (f for f in iterate(gdb.newest_frame(), "older") if not pretence.is_thread(f)), None
        )
        if frame is None:
            raise gdb.GdbError(f"gdb does not get through to strand {strand.name()}.")
    frame.select()
    try:
        yield frame
    finally:
        pretence.end()


# ---- where it is, and what it waits for ----

# Of the library's internal functions, what macros have the user's code call itself.
BY_MACROS = re.compile(r"filch__(run|join_slow|abandon|spawn_eager|group_spawn|future_\w+)$")
MADE = re.compile(r"(?!filch__)(.+)__(wait|join|join_at)$")  # by FILCH_TASK

Where = collections.namedtuple("Where", "waits joins user")


def source_root():
    """The folder of the library's sources, if it has debug information."""
    symbol = gdb.lookup_global_symbol("filch__suspend")
    name = symbol and symbol.symtab and symbol.symtab.fullname()
    return name[: -len("sched/strand.c")] if name and name.endswith("sched/strand.c") else None


def target_of(pc):
    """Where the call goes that returns to pc, or None if that is not in the code."""
    if architecture() == "aarch64":
        code = half(read(pc - 4, 4))
        if code >> 26 == 0x25:  # bl
            return pc - 4 + ((code & 0x3FFFFFF ^ 0x2000000) - 0x2000000) * 4
        return None
    code = read(pc - 6, 6)
    offset = struct.unpack_from("<i", code, 2)[0]
    if code[1] == 0xE8:  # call
        return pc + offset
    return word(read(pc + offset, 8)) if code[:2] == b"\xff\x15" else None  # by a table


def called_by(frame):
    """The function that the frame has called, "" if not known. Not the name of the next frame:
    that may have been reached by a jump."""
    try:
        target = target_of(frame.pc())
        text = gdb.execute(f"info symbol {target}", to_string=True) if target else ""
    except gdb.error:
        return ""
    match = re.match(r"(\S+) in section ", text)
    return plain(match.group(1)) if match else ""


class Frames:
    """Tells the library's frames from those of its user."""

    def __init__(self):
        self.root = source_root()
        self.shapes = collections.defaultdict(list)

    def is_library(self, frame):
        name, symtab = name_of(frame), frame.find_sal().symtab
        if MADE.match(name):
            return True
        if symtab and self.root:
            return symtab.fullname().startswith(self.root)
        if symtab:
            return name.startswith("filch_") and "filch/" in symtab.filename
        if name.startswith("filch_") or "libfilch" in (gdb.solib_name(frame.pc()) or ""):
            return True
        called = called_by(frame)  # a function of the library's own: so this is one, too
        return bool(called) and not re.match("filch_[a-z]", called) and not BY_MACROS.match(called)

    def where(self, newest, stopped):
        """Where that is, and the frames down to the user's innermost one."""
        frames = list(itertools.islice(iterate(newest, "older"), FRAMES))
        if not stopped:
            user = next((f for f in frames if f.find_sal().symtab), frames[0])
            return Where("", "", place(user)), frames
        user = next((f for f in frames[1:] if not self.is_library(f)), frames[-1])
        frames = frames[: frames.index(user) + 1]
        called = called_by(user) or next((n for n in map(name_of, frames[-2::-1]) if n), "")
        made = MADE.match(called)
        waits = re.sub("_until$", "", called)
        return Where("" if made else waits, made.group(1) if made else "", place(user)), frames

    def of(self, strand):
        """Strands that stopped in the same place look alike: one of them is unwound."""
        if strand.thread:
            with shown(strand) as frame:
                return self.where(frame, False)[0]
        try:
            sp, pc = itertools.islice(strand.context().values(), 2)
            for where, marks in self.shapes[pc]:
                if all(strand.stack_word(sp + at) == value for at, value in marks):
                    return where
            with shown(strand) as frame:
                where, frames = self.where(frame, True)
                marks = marks_of(strand, sp, frames)
        except gdb.GdbError as error:
            return Where("", "", f"({error})")
        if marks:
            self.shapes[pc].append((where, marks))
        return where


def marks_of(strand, sp, frames):
    """Where the return addresses of the frames lie, from sp on; None if not to be found."""
    marks, lo = [], sp
    for frame in frames[1:]:
        hi = sp_of(frame)
        if hi <= lo:
            continue  # inlined
        at = strand.stack(lo, hi - lo).rfind(struct.pack("<Q", frame.pc()))
        if at < 0:
            return None
        marks.append((lo - sp + at, frame.pc()))
        lo = hi
    return marks


def place(frame):
    sal, name = frame.find_sal(), name_of(frame) or hex(frame.pc())
    return f"{name} ({os.path.basename(sal.symtab.filename)}:{sal.line})" if sal.symtab else name


def wait_of(strand):
    """Its struct filch__wait, which is in its frames, or None."""
    layout, sp = strand.layout, strand.context()["rsp" if architecture() == "x86-64" else "sp"]
    data = strand.stack(sp, DEEP)
    member, at = layout["filch__wait.ticket.strand"], -1
    while True:
        at = data.find(struct.pack("<Q", strand.address), at + 1)
        if at < 0:
            return None
        begin = at - member
        if begin < 0 or begin % 8 or begin + layout["filch__wait.waiters"] + 4 > len(data):
            continue
        wait = Thing(layout, "filch__wait", sp + begin, data[begin:])
        if wait.word("pool") == strand.pool.address and wait.half("waiters") <= 64:
            return wait


def joined_by(strand):
    """The record for whose end it waits: it carries the strand's name."""
    layout, sp = strand.layout, next(iter(strand.context().values()))
    data, at = strand.stack(sp, DEEP), -1
    while True:
        at = data.find(struct.pack("<Q", strand.address), at + 1)
        if at < 0:
            return None
        begin = at - layout["filch__record.sync"]
        if begin >= 0 and (sp + begin) % 16 == 0 and word(data, begin + layout["filch__record.task"]) & 1:
            return sp + begin


def object_of(snapshot, strand, waits):
    """Of a wait, what for: a descriptor, a lock and who has it."""
    wait = wait_of(strand)
    if not wait or wait.half("waiters") != 1:
        return ""
    layout = strand.layout
    item = read(wait.word("waiter"), layout["filch__waiter"])
    list_at = word(item, layout["filch__waiter.list"])
    fd = descriptor_of(strand.pool, list_at)
    if fd is not None:
        return f" of descriptor {fd}"
    if not re.match("filch_(mutex|rwlock|channel|event|semaphore|condition)", waits):
        return ""
    owner = None
    if waits.startswith("filch_mutex"):
        owner = word(read(list_at + layout["filch_mutex.owner"], 8))
    elif waits.startswith("filch_rwlock"):
        owner = word(read(list_at + layout["filch_rwlock.writer"], 8))
    return f" {list_at:#x}" + (f", held by {holder(snapshot, owner)}" if owner else "")


def holder(snapshot, address):
    strand = snapshot.at(address)
    return f"strand {strand.name()}" if strand else "a thread outside"


def descriptor_of(pool, address):
    layout, driver = pool.layout, pool.word("driver")
    if not driver or "filch__slot" not in layout:
        return None
    slots = half(read(driver + layout["filch__reactor.slots"], 4))
    slot = word(read(driver + layout["filch__reactor.slot"], 8))
    if slot <= address < slot + slots * layout["filch__slot"]:
        return (address - slot) // layout["filch__slot"]
    return None


def doing(snapshot, strand, where, brief=False):
    """What a strand waits for, or what runs it."""
    if strand.thread:
        worker = f"worker {strand.worker.index}, " if strand.worker else ""
        return "on a worker" if brief else f"{worker}thread {strand.thread.num}"
    if where.joins:
        text = f"joins {where.joins}"
        record = None if brief else joined_by(strand)
        runner = record and snapshot.runner_of(record)
        return text + (f", strand {runner.name()}" if runner else "")
    if strand.state() == "ready":
        return f"a worker; was in {where.waits}" if where.waits else "a worker"
    return where.waits + ("" if brief else object_of(snapshot, strand, where.waits))


# ---- commands ----


def table(rows, head):
    """Rows in columns, the last as wide as it is."""
    rows = [head] + [[str(x) for x in row] for row in rows]
    wide = [max(len(row[i]) for row in rows) for i in range(len(head))]
    for row in rows:
        print("  ".join(x.ljust(n) for x, n in zip(row, wide)).rstrip())


class Filch(gdb.Command):
    """Strands, workers and tasks of Filch.

    filch strands [POOL] [-all]      all strands; groups of them if they are many
    filch bt [STRAND | all] [...]    backtrace of a strand, options as for bt
    filch frame [STRAND [LEVEL]]     look at a strand: bt, up, info locals; none: back
    filch apply STRAND... | all CMD  run a command of gdb on strands
    filch tasks [STRAND]             tasks that a strand has spawned and not joined
    filch workers [POOL]             workers, what they run, their counters
    filch pools                      pools

STRAND is a number as in the list (POOL.NUMBER if there are several pools), or an address."""

    def __init__(self):
        super().__init__("filch", gdb.COMMAND_STACK, prefix=True)


class Command(gdb.Command):
    def __init__(self):
        super().__init__(f"filch {self.verb}", gdb.COMMAND_STACK, gdb.COMPLETE_NONE)

    def invoke(self, text, from_tty):
        try:
            self.run(text.split())
        except gdb.MemoryError as error:
            raise gdb.GdbError(
                f"{error}; what should lie there is not in this process or core file."
            ) from None


def pool_of(snapshot, words):
    """The pool that is asked for, None for all."""
    if not words:
        return None
    for pool in snapshot.pools:
        if words == [str(pool.number)]:
            return pool
    raise gdb.GdbError(
        f"There is no pool {' '.join(words)}; there are {len(snapshot.pools)}, see 'filch pools'."
    )


class Strands(Command):
    """List strands: filch strands [POOL] [-all]
What each was begun for or runs, what it waits for, and the user's innermost frame.
More than 100 are put into groups of those that look alike, unless -all is given."""

    verb = "strands"

    def run(self, words):
        every = "-all" in words
        snapshot = Snapshot()
        pool = pool_of(snapshot, [w for w in words if w != "-all"])
        strands = list(snapshot.strands(pool))
        if not strands:
            print("No strand runs or waits.")
            return
        with place_kept():
            show = self.each if every or len(strands) <= MANY else self.groups
            show(snapshot, strands)

    def each(self, snapshot, strands):
        frames, rows = Frames(), []
        for s in strands:
            where = frames.of(s)
            row = s.name(), hex(s.address), s.state(), name_of_task(s.runs)
            rows.append(row + (doing(snapshot, s, where), where.user))
        table(rows, ["Strand", "Address", "State", "Task", "Waits for / runs on", "Where"])

    def groups(self, snapshot, strands):
        frames, groups = Frames(), collections.defaultdict(list)
        for s in strands:
            where = frames.of(s)
            key = s.state(), name_of_task(s.runs), doing(snapshot, s, where, True), where.user
            groups[key].append(s)
        rows = [
            (len(all), *key, all[0].name())
            for key, all in sorted(groups.items(), key=lambda g: -len(g[1]))
        ]
        table(rows, ["Strands", "State", "Task", "Waits for / runs on", "Where", "First"])
        print(f"{len(strands)} strands; 'filch strands -all' lists each.")


def describe(snapshot, strand):
    where = Frames().of(strand)
    what = doing(snapshot, strand, where)
    print(f"Strand {strand.name()} ({strand.address:#x}), {strand.state()}: {what}")
    for line in origin(snapshot, strand):
        print(f"  {line}")


def origin(snapshot, strand):
    """The tasks above it."""
    layout, seen = strand.layout, set()
    while strand and strand.address not in seen:
        seen.add(strand.address)
        at = strand.word("record")
        record = Thing(layout, "filch__record", at)
        sync, name = record.word("sync"), name_of_task(record.word("task"))
        above = snapshot.at(at)
        if sync & layout["FILCH__IS_ROOT"]:
            yield f"begun for {name}, which {snapshot.thread_near(at)} has called by FILCH_RUN"
        elif above:
            waits = "now joins" if sync == above.address else "has not joined it yet"
            yield f"begun for {name}, which strand {above.name()} has spawned and {waits}"
        else:
            yield f"begun for {name}, a future or a task of a group"
        strand = above


class Bt(Command):
    """Backtrace of a strand: filch bt [STRAND | all] [options of bt]
Without a strand, that of the selected thread. First comes what it was begun for."""

    verb = "bt"

    def run(self, words):
        snapshot = Snapshot()
        which = words.pop(0) if words and not words[0].startswith("-") else None
        if which == "all":
            strands = snapshot.strands()
        else:
            strands = [snapshot.find(which) if which else pretence.strand or snapshot.here()]
        with place_kept():
            for strand in strands:
                describe(snapshot, strand)
                with shown(strand):
                    gdb.execute(" ".join(["bt"] + words))


class Apply(Command):
    """Run a command of gdb on strands: filch apply STRAND... | all COMMAND
As with thread apply; the frame that is selected is the strand's newest."""

    verb = "apply"

    def run(self, words):
        snapshot, strands = Snapshot(), []
        if words[:1] == ["all"]:
            strands, words = list(snapshot.strands()), words[1:]
        while words and re.fullmatch(r"[\d.]+|0x[0-9a-f]+", words[0]):
            strands.append(snapshot.find(words.pop(0)))
        if not strands or not words:
            raise gdb.GdbError("Give strands, or all, and a command: filch apply all bt 3")
        with place_kept():
            for strand in strands:
                print(f"Strand {strand.name()} ({name_of_task(strand.runs)}):")
                with shown(strand):
                    gdb.execute(" ".join(words))


class Frame(Command):
    """Look at a strand: filch frame [STRAND [LEVEL]]
bt, up, down, frame, info locals and print then show that strand, until the program goes
on or 'filch frame' without a number goes back. It is for looking: do not step from there."""

    verb = "frame"

    def run(self, words):
        pretence.end()
        if not words:
            gdb.execute("frame")
            return
        strand = Snapshot().find(words[0])
        if strand.thread:
            strand.thread.switch()
        else:
            strand.context()
            pretence.begin(strand)
        if len(words) > 1:
            gdb.execute(f"frame {' '.join(words[1:])}")
            return
        frames, library = list(iterate(gdb.newest_frame(), "older")), Frames()
        if not strand.thread:
            frames = [f for f in frames if not pretence.is_thread(f)]
        library.where(frames[0], not strand.thread)[1][-1].select()
        gdb.execute("frame")


class Tasks(Command):
    """Tasks that a strand has spawned and not joined: filch tasks [STRAND]
Private ones are known to it alone, exposed ones can be stolen or are. Arguments are shown if
there is debug information of the task."""

    verb = "tasks"

    def run(self, words):
        snapshot = Snapshot()
        strand = snapshot.find(words[0]) if words else pretence.strand or snapshot.here()
        rows = [self.row(snapshot, *found) for found in self.records(snapshot, strand)]
        if not rows:
            print(f"Strand {strand.name()} has spawned nothing that is not joined.")
            return
        table(rows, ["Record", "State", "Task", "Run by", "Arguments"])

    def records(self, snapshot, strand):
        """From the newest frame to the oldest, then those of groups."""
        layout, awaited = strand.layout, None
        if strand.thread:
            with place_kept(), shown(strand) as frame:
                sp = sp_of(frame)
                sp = sp if strand.lo <= sp < strand.hi else strand.lo
        else:
            sp = next(iter(strand.context().values()))
            awaited = joined_by(strand)
        sp = (sp + 15) & -16
        data = strand.stack(sp, strand.hi - sp)
        size = layout["filch__record"]
        marks = {layout["FILCH__LIVE"]: "private", layout["FILCH__EXPOSED"]: "exposed"}
        for at in range(0, len(data) - size + 1, 16):
            state = "joined" if sp + at == awaited else marks.get(half(data, at))
            if state and self.is_task(layout, word(data, at + layout["filch__record.task"])):
                yield sp + at, Thing(layout, "filch__record", sp + at), state
        at = strand.word("newest")
        while at:
            yield word(read(at + layout["filch__loose.inner"], 8)), Thing(layout, "filch__record", at), "group's"
            at = word(read(at + layout["filch__loose.older"], 8))

    def is_task(self, layout, task):
        try:
            data = read(task & ~1, 32)
            return layout["filch__record"] <= word(data, layout["filch__task.size"]) < 1 << 20
        except gdb.MemoryError:
            return False

    def row(self, snapshot, at, record, state):
        runner = snapshot.runner_of(at) if state != "private" else None
        by = f"strand {runner.name()}" if runner else ""
        if record.word("sync") == record.layout["FILCH__DONE"] and state == "exposed":
            state = "done"
        name = name_of_task(record.word("task"))
        return hex(at), state, name, by, self.arguments(name, at)

    def arguments(self, name, at):
        try:
            kind = gdb.lookup_type(f"struct {name}__record").pointer()
            return str(gdb.Value(at).cast(kind).dereference()["args"])
        except gdb.error:
            return ""


class Workers(Command):
    """List workers: filch workers [POOL]
Ready: strands and others that wait for this worker or a thief. Shelf: strands that stopped
here and were not looked through for tasks."""

    verb = "workers"
    counters = ("exposed", "stolen", "suspended", "resumed", "mugged", "parked")

    def run(self, words):
        snapshot = Snapshot()
        pool, rows = pool_of(snapshot, words), []
        for each in [pool] if pool else snapshot.pools:
            strands = [s for s in snapshot.strands(each) if s.thread]
            rows += [self.row(w, strands) for w in each.workers]
        table(rows, ["Worker", "Thread", "State", "Strand", "Task", "Ready", "Shelf"]
              + [c.capitalize() for c in self.counters])

    def row(self, w, strands):
        strand = next((s for s in strands if s.worker and s.worker.address == w.address), None)
        name = f"{w.pool.number}.{w.index}" if w.pool.several else w.index
        thread = w.thread.num if w.thread else "-"
        ready = w.word("ready.tail") - w.word("ready.head")
        row = [name, thread, self.state(w, strand)]
        row += [strand.name(), name_of_task(strand.runs)] if strand else ["-", "-"]
        return row + [ready, w.half("shelf.count")] + [w.word(f"counters.{c}") for c in self.counters]

    def state(self, w, strand):
        if strand:
            return "runs"
        parked = {w.layout["FILCH__IDLE"]: "sleeps", w.layout["FILCH__WATCHING"]: "waits for events"}
        return parked.get(w.parked, "looks for work")


class Pools(Command):
    """List pools: filch pools"""

    verb = "pools"

    def run(self, words):
        pool_of(Snapshot(), words)
        rows = [
            (p.number, hex(p.address), len(p.workers), sum(1 for _ in p.strands()),
             p.word("stacks.made"), p.word("live"))
            for p in pools()
        ]
        table(rows, ["Pool", "Address", "Workers", "Strands", "Stacks", "Tasks from outside"])


pretence = Pretence()
gdb.events.cont.connect(pretence.end)
gdb.events.exited.connect(pretence.end)
gdb.execute(f"handle {ASK} nostop noprint pass", to_string=True)
Filch()
for command in (Strands, Bt, Frame, Apply, Tasks, Workers, Pools):
    command()
