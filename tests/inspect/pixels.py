"""Prints how many pixels of a PNG file have each color: `COUNT RED GREEN BLUE`, a line each. No library needed."""

import collections
import struct
import sys
import zlib


def rows(data):
    """The file's rows, unfiltered, and the bytes of a pixel."""
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
        elif kind == b"IDAT":
            packed += body
        at += 12 + size
    assert depth == 8 and color in (2, 6), "8 bits of RGB or RGBA"
    pixel = 3 if color == 2 else 4
    raw, stride = zlib.decompress(packed), width * pixel + 1
    above = bytearray(width * pixel)
    for y in range(height):
        kind, line = raw[y * stride], bytearray(raw[y * stride + 1 : (y + 1) * stride])
        for i in range(len(line)):
            left = line[i - pixel] if i >= pixel else 0
            corner = above[i - pixel] if i >= pixel else 0
            line[i] = (line[i] + guess(kind, left, above[i], corner)) & 255
        above = line
        yield line, pixel


def guess(kind, left, up, corner):
    if kind == 3:
        return (left + up) // 2
    if kind == 4:
        estimate = left + up - corner
        return min((left, up, corner), key=lambda value: abs(estimate - value))
    return (0, left, up)[kind]


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    seen = collections.Counter()
    for line, pixel in rows(data):
        seen.update(zip(line[0::pixel], line[1::pixel], line[2::pixel]))
    for (red, green, blue), count in seen.items():
        print(count, red, green, blue)


if __name__ == "__main__":
    main()
