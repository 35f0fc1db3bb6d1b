; u = center * u + side * (the u of the six neighbours), `steps` times. Rows and columns of tiles are two
; axes of the mesh of points, and a tile has 4 W points along the third; W is a multiple of 4, at most
; 124. Points beyond the edges of the mesh are 0. With NEXT = 4 the points are folded: lane l of vector i
; is point l W + i, so neighbours are the vectors before and behind. One more vector at each end has the
; neighbours across lanes. On general tiles NEXT = 1 is possible: points in their order, `unit` zeros.
.array  u, bf16, 4 * W + 8
.array  unit, bf16, 16                  ; four unit vectors
.array  own, fp32, 4 * W                ; u, to be sent
.array  sum, fp32, 4 * W                ; of the neighbours
.array  end, fp32, 4                    ; the vector at an end

; The vector at r11: three lanes of the vector `from`, each times a unit vector.
.macro  across to, from, unit_vector
        li    r11, \to
        li    r12, \from
        li    r13, \unit_vector
        vf.fma R[end_at], S[r0], S[r0], Z
        csrw  REP, three
        vf.fma R[end_at], M[r13], MS[r12], R[end_at]
        csrw  REP, once
        vf.fma M[r11], S[r0], S[r0], R[end_at]
.endm

.kernel main steps=r1 center=r2 side=r3
.reg    one, r4
.reg    at, r5
.reg    own_at, r6
.reg    sum_at, r7
.reg    end_at, r8
.reg    once, r9
.reg    three, r10
        csrw  STR, r0
        li    once, 1
        csrw  REP, once
        csrw  STB, once
        li    r11, 4
        csrw  STA, r11
        li    three, 3
        li    one, bf16(1)
        li    at, u + 4
        li    own_at, own
        li    sum_at, sum
        li    end_at, end
step:   li    r11, W
        csrw  VL, r11
        vf.fma R[own_at], M[at], S[one], Z
        vf.fma R[sum_at], M[at], S[r0], Z
        fork  exchange
        csrw  VL, once                  ; meanwhile the neighbours across lanes
        across u, u + 4 * W, unit + 4
        across u + 4 * W + 4, u + 5, unit
        join
        li    r11, W
        csrw  VL, r11
        li    r11, u + 4 - NEXT
        li    r12, u + 4 + NEXT
        vf.fma R[sum_at], M[r11], S[one], R[sum_at]
        vf.fma R[sum_at], M[r12], S[one], R[sum_at]
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
        li    chunks, W
        shr   chunks, chunks, 2
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
