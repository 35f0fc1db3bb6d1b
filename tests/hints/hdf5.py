#!/usr/bin/env python3
"""Writes samples as the Model Zoo's preparation of data does, by the library that weft reads them with: hdf5.py WEFT OUT OPTION...

rows N (of a sample), written N (samples, of 40), external FILE (of the numbers), virtual FILE (that has them), mapped N (samples of it)
"""
import ctypes
import re
import subprocess
import sys

SAMPLES, SEQ = 40, 8
LIBRARY = ctypes.CDLL(re.search(r"=> (\S*libhdf5\S*)", subprocess.check_output(["ldd", sys.argv[1]], text=True)).group(1))
IDS = ("H5Fcreate", "H5Pcreate", "H5Screate_simple", "H5Dcreate2")  # functions that return an id; others return int


def call(name, *values):
    function = getattr(LIBRARY, name)
    function.restype = ctypes.c_int64 if name in IDS else ctypes.c_int
    result = function(*[ctypes.c_int64(v) if isinstance(v, int) else v for v in values])
    if result < 0:
        sys.exit(f"{name} fails")
    return result


def constant(name):
    return ctypes.c_int64.in_dll(LIBRARY, name).value


def sizes(*each):
    return (ctypes.c_uint64 * len(each))(*each)


def numbers(rows):
    """ids, mask and labels of each sample."""
    sample = [n * n % 13 for n in range(SEQ)] + [1] * SEQ + [(n + 1) ** 2 % 13 for n in range(SEQ)] + [0] * SEQ * (rows - 3)
    return (ctypes.c_int32 * (SAMPLES * rows * SEQ))(*(sample * SAMPLES))


def select(space, samples, rows):
    call("H5Sselect_hyperslab", space, 0, sizes(0, 0, 0), None, sizes(samples, rows, SEQ), None)


def write(out, rows=3, written=SAMPLES, external=None, virtual=None, mapped=SAMPLES):
    file = call("H5Fcreate", out.encode(), 2, 0, 0)
    space = call("H5Screate_simple", 3, sizes(SAMPLES, rows, SEQ), None)
    how = call("H5Pcreate", constant("H5P_CLS_DATASET_CREATE_ID_g"))
    if external:
        call("H5Pset_external", how, external.encode(), 0, -1)
    elif virtual:
        part = call("H5Screate_simple", 3, sizes(mapped, rows, SEQ), None)
        select(space, mapped, rows)
        call("H5Pset_virtual", how, space, virtual.encode(), b"data", part)
        call("H5Sselect_all", space)
    else:
        call("H5Pset_chunk", how, 3, sizes(1, rows, SEQ))
    data = call("H5Dcreate2", file, b"data", constant("H5T_STD_I32LE_g"), space, 0, how, 0)
    if not virtual:
        select(space, written, rows)
        call("H5Dwrite", data, constant("H5T_NATIVE_INT32_g"), space, space, 0, numbers(rows))
    call("H5Dclose", data)
    call("H5Fclose", file)


if __name__ == "__main__":
    call("H5open")
    WORDS = iter(sys.argv[3:])
    write(sys.argv[2], **{name: int(value) if value.isdigit() else value for name, value in zip(WORDS, WORDS)})
