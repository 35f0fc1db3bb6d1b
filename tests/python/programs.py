"""Programs of one's own for the tests of wafers."""
import weft

ARRAYS = """
.array  a, bf16, 20
.array  k, int16, 3
.array  s, fp32, 5
.kernel main x=r1
        halt
"""
ENDLESS = """
.kernel main
        li    r1, 256
        csrw  VL, r1
        li    r2, 1
        csrw  REP, r2
next:   vf.fma R[r0], M[r0], S[r0], Z
        dbnz  r3, next
        jmp   next
"""


def wafer_of(text, backend="model", rows=2, cols=3, **parameters):
    wafer = weft.Wafer(rows, cols, backend, sram_kib=4)
    layout = weft.Layout()
    layout.program_text(text, name="mine.s", **parameters)
    wafer.load(layout)
    return wafer
