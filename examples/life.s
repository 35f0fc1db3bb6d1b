; The game of life: a tile has a cell of each of N boards, 1 or 0; N is a multiple of 16. With s the
; sum of a cell and its neighbours, a cell lives if 2 s - u is 5, 6 or 7. Tiles first add along rows,
; and then these sums along columns; beyond the edges of the wafer all is dead.
.array  u, bf16, N
.array  own, fp32, N                    ; 2 u, to be sent
.array  across, fp32, N                 ; of a cell and its neighbours in the row
.array  all, fp32, N

.kernel main steps=r1
.reg    at, r2
.reg    all_at, r3
        csrw  STR, r0
        li    r4, N
        shr   r4, r4, 2                 ; 4 lanes
        csrw  VL, r4
        li    r4, 1
        csrw  REP, r4
        li    r5, bf16(2)
        li    r6, bf16(-1)
        li    r7, bf16(1)
        li    r8, bf16(5)
        li    r9, bf16(8)
        li    at, u
        li    all_at, all
        li    r10, own
        li    r11, across
step:   vf.fma R[r10], M[at], S[r5], Z
        vf.fma R[r11], M[at], S[r5], Z
        fork  exchange
        join
        vf.fma R[all_at], M[at], S[r6], R[all_at]
        vf.ge  R[r10], S[r7], R[all_at], S[r8]
        vf.ge  R[r11], S[r7], R[all_at], S[r9]
        vf.fma M[at], S[r6], R[r11], R[r10]
        dbnz  steps, step
        halt

; Sends 16 cells, if `to` is not 0, and then takes 16, if `from` is not 0, and adds them to `base`.
.macro  neighbour color, to, from, own, sum
        beq   \to, r0, sent\@
        vs.mov own=R[\own], out=\color
sent\@: beq   \from, r0, taken\@
        vs.add in=\color, own=R[base], dst=R[\sum]
        mov   base, \sum
taken\@:
.endm

; 16 words at a time: the buffers between two tiles hold them, so all tiles can send first.
.routine exchange chunks=r1 own_at=r2 across_at=r3 all_at=r4 row=r5 rows=r6 col=r7 cols=r8 four=r9 base=r10
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
        li    across_at, across
        li    all_at, all
chunk:  mov   base, across_at
        neighbour east, cols, col, own_at, across_at
        neighbour west, col, cols, own_at, across_at
        neighbour south, rows, row, across_at, all_at
        neighbour north, row, rows, across_at, all_at
        beq   base, all_at, added
        vs.mov own=R[across_at], dst=R[all_at] ; there is only one row of tiles
added:
        add   own_at, own_at, four
        add   across_at, across_at, four
        add   all_at, all_at, four
        dbnz  chunks, chunk
        halt
