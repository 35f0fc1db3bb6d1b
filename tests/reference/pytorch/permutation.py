"""The order of shuffled samples: host/data/permutation.hpp in Python."""


def mix64(x):
    """host/data/permutation.hpp's mix64."""
    x = (x + 0x9E3779B97F4A7C15) % 2**64
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    x = (x ^ x >> 27) * 0x94D049BB133111EB % 2**64
    return x ^ x >> 31


def permute(x, size, seed):
    """host/data/permutation.hpp's permute: the position of x in the permutation of range(size) that the seed selects."""
    half = ((size - 1).bit_length() + 1) // 2
    if half == 0:
        return 0
    mask = 2**half - 1
    keys = [mix64((seed + number) % 2**64) for number in range(6)]
    while True:
        left, right = x >> half, x & mask
        for key in keys:
            left, right = right, left ^ (mix64(right ^ key) & mask)
        x = left << half | right
        if x < size:
            return x
