#!/usr/bin/env python3
"""Changes a safetensors file, as a user's own script would: tensors.py IN OUT CHANGE...

drop NAME, keep NAME, call NAME NEW, copy NAME NEW, type NAME DTYPE (its numbers in it), float NAME VALUE (its first number),
names PREFIX (before all), about KEY VALUE. `plain` leaves out what is Weft's own; else its checksum is computed again.
`index` alone writes OUT as the index of the tensors in IN.
"""
import json
import pathlib
import struct
import sys

SIZES = {"F32": 4, "F16": 2, "I32": 4, "BOOL": 1}
CODES = {"F32": "f", "F16": "e", "I32": "i", "BOOL": "?"}
NO_CHECKSUM = "0" * 8


def crc32c(data):
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    crc = 0xFFFFFFFF
    for byte in data:
        crc = table[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def load(path):
    """(metadata, {name: (dtype, shape, numbers)})"""
    data = pathlib.Path(path).read_bytes()
    length = struct.unpack_from("<Q", data)[0]
    header = json.loads(data[8:8 + length])
    about, tensors = header.pop("__metadata__", {}), {}
    for name, of in header.items():
        begin, end = of["data_offsets"]
        count = (end - begin) // SIZES[of["dtype"]]
        numbers = struct.unpack_from(f"<{count}{CODES[of['dtype']]}", data, 8 + length + begin)
        tensors[name] = (of["dtype"], of["shape"], list(numbers))
    return about, tensors


def save(path, about, tensors):
    header, body = {}, b""
    checksum = next((key for key in about if "crc32c" in key or "checksum" in key), None)
    if checksum:
        about[checksum] = NO_CHECKSUM
    if about:
        header["__metadata__"] = about
    for name, (dtype, shape, numbers) in tensors.items():
        part = struct.pack(f"<{len(numbers)}{CODES[dtype]}", *numbers)
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(body), len(body) + len(part)]}
        body += part
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    data = struct.pack("<Q", len(text)) + text + body
    if checksum:
        place = f'"{checksum}":"'.encode()
        data = data.replace(place + NO_CHECKSUM.encode(), place + b"%08x" % crc32c(data), 1)
    pathlib.Path(path).write_bytes(data)


def change(about, tensors, words):
    while words:
        deed = words.pop(0)
        if deed == "plain":
            about.clear()
            for name in [n for n in tensors if n.startswith("weft.")]:
                del tensors[name]
            continue
        name = words.pop(0)
        if deed == "drop":
            del tensors[name]
        elif deed == "keep":
            for other in [n for n in tensors if n != name]:
                del tensors[other]
        elif deed == "call":
            tensors[words.pop(0)] = tensors.pop(name)
        elif deed == "copy":
            tensors[words.pop(0)] = (*tensors[name][:2], list(tensors[name][2]))
        elif deed == "type":
            dtype, (_, shape, numbers) = words.pop(0), tensors[name]
            to = {"I32": int, "BOOL": bool}.get(dtype, float)
            tensors[name] = (dtype, shape, [to(x) for x in numbers])
        elif deed == "float":
            tensors[name][2][0] = float(words.pop(0))
        elif deed == "names":
            for old in list(tensors):
                tensors[name + old] = tensors.pop(old)
        elif deed == "about":
            about[name] = words.pop(0)
        else:
            sys.exit(f"no {deed}")


if __name__ == "__main__":
    ABOUT, TENSORS = load(sys.argv[1])
    if sys.argv[3:] == ["index"]:
        pathlib.Path(sys.argv[2]).write_text(json.dumps({"weight_map": dict.fromkeys(TENSORS, pathlib.Path(sys.argv[1]).name)}))
        sys.exit()
    change(ABOUT, TENSORS, sys.argv[3:])
    save(sys.argv[2], ABOUT, TENSORS)
