# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""
A process that maps files as it is told, one line of standard input at a time:

    map PATH PROT OFFSET SIZE [ADDRESS]    mmap, private; answers with the address
    anon PROT SIZE ADDRESS                 the same without a file
    protect ADDRESS SIZE PROT              mprotect
    unmap ADDRESS SIZE                     munmap
    unlink PATH, rename FROM TO            as said
    thread                                 start a thread that waits; answers with its id
    fork LINE                              do LINE in a child and wait for its end
    exit STATUS                            end

As arguments, lines are run in order, and the process ends. PROT is such as r-x, numbers are hexadecimal.
"""

import ctypes
import mmap
import os
import sys
import threading

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int,
                      ctypes.c_long]
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
MAP_FIXED = 0x10


def prot(text):
    return sum(bit for letter, bit in (("r", 1), ("w", 2), ("x", 4)) if letter in text)


def check(failed):
    if failed:
        raise OSError(ctypes.get_errno(), "mmap and so on")


def do_mmap(fd, protection, offset, size, address=0):
    flags = mmap.MAP_PRIVATE | (MAP_FIXED if address else 0) | (mmap.MAP_ANONYMOUS if fd < 0 else 0)
    where = libc.mmap(address, size, protection, flags, fd, offset)
    check(where in (None, 2**64 - 1))
    return where


def run(line):
    what, *args = line.split()
    if what == "map":
        fd = os.open(args[0], os.O_RDONLY)
        where = do_mmap(fd, prot(args[1]), *(int(arg, 16) for arg in args[2:]))
        os.close(fd)
        return "%x" % where
    if what == "anon":
        return "%x" % do_mmap(-1, prot(args[0]), 0, int(args[1], 16), int(args[2], 16))
    if what == "protect":
        check(libc.mprotect(int(args[0], 16), int(args[1], 16), prot(args[2])))
    elif what == "unmap":
        check(libc.munmap(int(args[0], 16), int(args[1], 16)))
    elif what == "unlink":
        os.unlink(args[0])
    elif what == "rename":
        os.rename(*args)
    elif what == "fork":
        child = os.fork()
        if not child:
            run(" ".join(args))
            os._exit(0)
        os.waitpid(child, 0)
    elif what == "thread":
        started, tid = threading.Event(), []

        def wait():
            tid.append(threading.get_native_id())
            started.set()
            threading.Event().wait()

        threading.Thread(target=wait, daemon=True).start()
        started.wait()
        return str(tid[0])
    elif what == "exit":
        os._exit(int(args[0]))
    return "ok"


for step in sys.argv[1:] or sys.stdin:
    answer = run(step)
    if len(sys.argv) == 1:
        print(answer, flush=True)
os._exit(0)
