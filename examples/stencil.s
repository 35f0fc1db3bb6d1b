; u = center * u + side * (the u of the four neighbours), `steps` times. A tile has N points, a
; multiple of 16, along an axis of its own; the neighbours beyond the edges of the wafer are 0.
.array  u, bf16, N
.array  own, fp32, N                    ; u, to be sent
.array  sum, fp32, N                    ; of what the neighbours send

.kernel main steps=r1 center=r2 side=r3
.reg    one, r4
.reg    at, r5
.reg    own_at, r6
.reg    sum_at, r7
        li    r8, N
        shr   r8, r8, 2                 ; 4 lanes
        csrw  VL, r8
        li    one, 1
        csrw  REP, one
        li    one, bf16(1)
        li    at, u
        li    own_at, own
        li    sum_at, sum
step:   vf.fma R[own_at], M[at], S[one], Z
        vf.fma R[sum_at], M[at], S[r0], Z
        fork  exchange
        join
        vf.fma R[sum_at], S[side], R[sum_at], Z
        vf.fma M[at], M[at], S[center], R[sum_at]
        dbnz  steps, step
        halt

; Sends 16 points, if `to` is not 0, and then takes 16, if `from` is not 0.
.macro  neighbour color, to, from
        beq   \to, r0, sent\@
        vs.mov own=R[own_at], out=\color
sent\@: beq   \from, r0, taken\@
        vs.add in=\color, own=R[sum_at], dst=R[sum_at]
taken\@:
.endm

; 16 words at a time: the buffers between two tiles hold them, so all tiles can send first.
.routine exchange chunks=r1 own_at=r2 sum_at=r3 row=r4 rows=r5 col=r6 cols=r7 four=r8
        csrr  row, ROW
        csrr  rows, ROWS
        sub   rows, rows, row
        addi  rows, rows, -1            ; rows to the south
        csrr  col, COL
        csrr  cols, COLS
        sub   cols, cols, col
        addi  cols, cols, -1            ; columns to the east
        li    four, 4
        csrw  VL, four
        li    chunks, N
        shr   chunks, chunks, 4
        li    own_at, own
        li    sum_at, sum
chunk:  neighbour east, cols, col
        neighbour west, col, cols
        neighbour south, rows, row
        neighbour north, row, rows
        add   own_at, own_at, four
        add   sum_at, sum_at, four
        dbnz  chunks, chunk
        halt
