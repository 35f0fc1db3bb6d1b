"""The safetensors format: u64 length of a JSON header, the header, the tensors' data."""

import json
import struct

import numpy

_DTYPES = {"F32": "<f4", "F16": "<f2", "BOOL": "?", "BF16": "<u2"}


def read(path):
    """Tensors by name as numpy arrays (BF16 as fp32), and the metadata."""
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = file.read()
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        values = numpy.frombuffer(data[begin:end], _DTYPES[entry["dtype"]]).reshape(entry["shape"])
        if entry["dtype"] == "BF16":
            values = (values.astype("<u4") << 16).view("<f4")
        tensors[name] = values
    return tensors, metadata


def to_bf16(values):
    """The upper halves of finite fp32 numbers, rounded to nearest even."""
    bits = numpy.ascontiguousarray(values, "<f4").view("<u4").astype("<u8")
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype("<u2")


def write(path, tensors, dtype="F32"):
    """Writes arrays by name, all as `dtype`: F32, F16 or BF16."""
    header, parts, offset = {}, [], 0
    for name, values in tensors.items():
        part = (to_bf16(values) if dtype == "BF16" else numpy.asarray(values, _DTYPES[dtype])).tobytes()
        header[name] = {"dtype": dtype, "shape": list(values.shape), "data_offsets": [offset, offset + len(part)]}
        offset += len(part)
        parts.append(part)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(parts))
