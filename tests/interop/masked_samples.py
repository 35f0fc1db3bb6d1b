"""Samples of masked tokens in HDF5, as Weft reads them (docs/howto/text.md), by way of libhdf5 itself."""

import ctypes
import re
import subprocess

import numpy

H5F_ACC_TRUNC, H5P_DEFAULT, H5S_ALL = 2, 0, 0


def library(weft):
    """The libhdf5 that weft reads with; None if it was built without."""
    found = re.search(r"=> (\S*libhdf5\S*)", subprocess.check_output(["ldd", weft], text=True))
    return ctypes.CDLL(found[1]) if found else None


def write_hdf5(h5, path, rows):
    """Writes int32 [samples][rows][tokens] as data set "data"."""
    values = numpy.ascontiguousarray(rows, "<i4")
    hid, shape = ctypes.c_int64, (ctypes.c_uint64 * 3)(*values.shape)
    for function in (h5.H5Fcreate, h5.H5Screate_simple, h5.H5Dcreate2):
        function.restype = hid
    h5.H5open()
    kind = hid(hid.in_dll(h5, "H5T_STD_I32LE_g").value)
    default = hid(H5P_DEFAULT)
    file = hid(h5.H5Fcreate(str(path).encode(), H5F_ACC_TRUNC, default, default))
    space = hid(h5.H5Screate_simple(3, shape, None))
    data = hid(h5.H5Dcreate2(file, b"data", kind, space, default, default, default))
    written = h5.H5Dwrite(data, kind, hid(H5S_ALL), hid(H5S_ALL), default, values.ctypes.data_as(ctypes.c_void_p))
    for close, what in ((h5.H5Dclose, data), (h5.H5Sclose, space), (h5.H5Fclose, file)):
        close(what)
    assert written >= 0, path


def masked_samples(count, length, vocab, seed, padding=0, mask_token=1):
    """Pairs of sentences of a random language in which a token often decides the next one; BERT's masking: of 15 % of
    the tokens 80 % are masked, 10 % replaced. Rows: ids, 1, labels (-100: none), segments."""
    random = numpy.random.default_rng(seed)
    follow = numpy.random.default_rng(1).permutation(numpy.arange(4, vocab))
    samples = numpy.zeros((count, 4, length), "<i4")
    samples[:, 1], samples[:, 2] = 1, -100
    for sample in samples:
        size = int(random.integers(length // 2, length + 1))
        ids = [int(random.integers(4, vocab))]
        while len(ids) < size:
            ids.append(int(follow[ids[-1] - 4]) if random.random() < 0.8 else int(random.integers(4, vocab)))
        second = size // 2
        ids[0], ids[second - 1], ids[-1] = 2, 3, 3
        words = [t for t in range(size) if ids[t] > 3]
        for t in random.choice(words, max(1, len(words) * 15 // 100), replace=False):
            sample[2, t] = ids[t]
            if (what := random.random()) < 0.9:
                ids[t] = mask_token if what < 0.8 else int(random.integers(4, vocab))
        sample[0], sample[3] = padding, 0
        sample[0, :size] = ids
        sample[3, second:size] = 1
    return samples


def pair_samples(count, length, vocab, seed):
    """masked_samples() with a fifth row: at the first token 1 where the second sentence was replaced by one of the upper
    half of the vocabulary, else 0; -100 elsewhere."""
    random = numpy.random.default_rng(seed + 1)
    samples = numpy.full((count, 5, length), -100, "<i4")
    samples[:, :4] = masked_samples(count, length, vocab, seed)
    for sample in samples:
        sample[4, 0] = random.integers(2)
        second = (sample[3] == 1) & (sample[0] > 3) & (sample[2] < 0)
        if sample[4, 0]:
            sample[0, second] = random.integers(vocab // 2, vocab, second.sum())
    return samples
