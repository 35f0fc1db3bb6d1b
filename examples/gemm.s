; C = A B by SUMMA on a square of tiles. A tile has a block of A, B and C, N x N, column by column. In
; step s the tiles of column s send A along their rows, and those of row s send B along their
; columns; each tile then adds the product of the two blocks to its block of C. N is a multiple of 4,
; at most 12.
.array  a, fp32, N * N
.array  b, fp32, N * N
.array  row_a, fp32, N * N              ; the blocks of the step ...
.array  column_b, fp32, N * N
.array  left, bf16, N * N               ; ... as factors
.array  right, bf16, N * N
.array  c, fp32, N * N

.kernel main steps=r1
.reg    step, r2
.reg    one, r3
.reg    n, r4
.reg    quarter, r5
.reg    block, r6
        csrw  STR, r0
        li    one, 1
        csrw  STB, one
        li    n, N
        shr   quarter, n, 2
        li    block, N * N
        shr   block, block, 2
        csrw  REP, one
        csrw  VL, block
        li    r7, c
        vf.fma R[r7], S[r0], S[r0], Z
        csrw  STA, n
        li    step, 0
next:   mvp   r1, step
        fork  share
        join
        li    one, 1
        csrw  REP, one
        csrw  VL, block
        li    one, bf16(1)
        li    r8, row_a
        li    r9, left
        vf.fma M[r9], S[one], R[r8], Z
        li    r8, column_b
        li    r10, right
        vf.fma M[r10], S[one], R[r8], Z
        csrw  REP, n
        csrw  VL, quarter
        li    r7, c
        li    r11, N
column: vf.fma R[r7], M[r9], MS[r10], R[r7]
        add   r10, r10, n
        add   r7, r7, quarter
        dbnz  r11, column
        addi  step, step, 1
        dbnz  steps, next
        halt

; Brings the vector `own` of the tile with index `step` to all tiles of the line, in `copy`.
.macro  pass index, last, step, up, down, own, copy
        beq   \index, \step, root\@
        blt   \index, \step, before\@
        beq   \index, \last, end\@
        vs.mov in=\up, out=\up, dst=R[\copy]
        jmp   done\@
end\@:  vs.mov in=\up, dst=R[\copy]
        jmp   done\@
before\@: beq \index, r0, begin\@
        vs.mov in=\down, out=\down, dst=R[\copy]
        jmp   done\@
begin\@: vs.mov in=\down, dst=R[\copy]
        jmp   done\@
root\@: vs.mov own=R[\own], dst=R[\copy]
        beq   \index, \last, last\@
        vs.mov own=R[\own], out=\up
last\@: beq   \index, r0, done\@
        vs.mov own=R[\own], out=\down
done\@:
.endm

.routine share step=r1 index=r2 last=r3 own=r4 copy=r5
        li    r6, N * N
        shr   r6, r6, 2
        csrw  VL, r6
        csrr  index, COL
        csrr  last, COLS
        addi  last, last, -1
        li    own, a
        li    copy, row_a
        pass  index, last, step, east, west, own, copy
        csrr  index, ROW
        csrr  last, ROWS
        addi  last, last, -1
        li    own, b
        li    copy, column_b
        pass  index, last, step, south, north, own, copy
        halt
