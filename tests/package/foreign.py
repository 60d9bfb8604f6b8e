# SPDX-License-Identifier: MIT
"""foreign.py LIBRARY: uses the shared library from a language that knows symbols only."""
import array
import ctypes
import sys

size, pointer = ctypes.c_size_t, ctypes.c_void_p
filch = ctypes.CDLL(sys.argv[1])
PIECE = ctypes.CFUNCTYPE(ctypes.c_int, size, size, pointer)
CALL = ctypes.CFUNCTYPE(pointer, pointer)
SUM = ctypes.CFUNCTYPE(ctypes.c_int, size, size, ctypes.POINTER(ctypes.c_uint64), pointer)
PLUS = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(ctypes.c_uint64), pointer)
filch.filch_version.restype = ctypes.c_char_p
filch.filch_size_of.restype = size
filch.filch_for.argtypes = [size, size, PIECE, pointer]
filch.filch_for_grain.argtypes = [size, size, size, PIECE, pointer]
filch.filch_reduce.argtypes = [size, size, pointer, size, SUM, PLUS, pointer]
filch.filch_run.restype = filch.filch_join.restype = filch.filch_go.restype = pointer
filch.filch_result.restype = pointer
for name in ('filch_await', 'filch_result', 'filch_future_drop'):
    getattr(filch, name).argtypes = [pointer]


def loop(n):
    """A parallel for with a callback: every index once."""
    seen = bytearray(n)

    def body(begin, end, _):
        for i in range(begin, end):
            seen[i] += 1
        return 0
    assert filch.filch_for(0, n, PIECE(body), None) == 0
    assert seen == b'\1' * n
    assert filch.filch_for_grain(0, n, n // 7, PIECE(lambda b, e, _: 42 if b else 0), None) == 42


def reduction(n):
    total = ctypes.c_uint64(0)

    def body(begin, end, result, _):
        result[0] += sum(range(begin, end))
        return 0

    def plus(left, right, _):
        left[0] += right[0]
    assert filch.filch_reduce(0, n, ctypes.byref(total), 8, SUM(body), PLUS(plus), None) == 0
    assert total.value == n * (n - 1) // 2, total.value


def numbers(n):
    """What C has inline."""
    values = array.array('d', (((i * 7919) % n) / 3 for i in range(n)))
    address, length = values.buffer_info()
    a = ctypes.cast(address, pointer)
    filch.filch_max_f64.restype = size
    assert values[filch.filch_max_f64(a, size(length))] == max(values)
    filch.filch_sort_f64(a, size(length))
    assert list(values) == sorted(values)


def calls():
    """Functions of one argument: on a pool, as a future."""
    def twice(x):
        return 2 * (x or 0)
    call = CALL(twice)
    assert filch.filch_run(None, call, pointer(21)) == 42
    future = filch.filch_go(call, pointer(4))
    assert filch.filch_await(future) == 0 and filch.filch_result(future) == 8
    filch.filch_future_drop(future)


def objects():
    """A struct that only its size is known of."""
    for name in (b'filch_mutex', b'filch_group', b'filch_semaphore', b'filch_stats'):
        assert 8 <= filch.filch_size_of(name) <= 256, name
    assert filch.filch_size_of(b'filch_nonsense') == 0
    mutex = ctypes.create_string_buffer(filch.filch_size_of(b'filch_mutex'))
    filch.filch_mutex_lock(mutex)
    assert filch.filch_mutex_try_lock(mutex) < 0
    filch.filch_mutex_unlock(mutex)
    assert filch.filch_mutex_try_lock(mutex) == 0
    filch.filch_mutex_unlock(mutex)


loop(200000)
reduction(300000)
numbers(100000)
calls()
objects()
print('python', filch.filch_version().decode())
