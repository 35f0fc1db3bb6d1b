; The dot product of x and y over all tiles: 28 sums in one tile, which the host adds. A tile has
; 28 * PARTS elements: 7 beats of 4 lanes a part, since a beat needs the one 7 cycles before it. With GAP
; elements between them, x and y are in different halves of the memory, and each beat reads from both.
.array  x, bf16, 28 * PARTS
.array  gap, bf16, GAP
.array  y, bf16, 28 * PARTS
.array  dot, fp32, 28

.kernel main
.reg    at, r1
        csrw  STR, r0                   ; all repetitions add to the same accumulators
        li    r2, 7
        csrw  VL, r2
        li    r2, 1
        csrw  REP, r2
        li    at, dot
        vf.fma R[at], S[r0], S[r0], Z
        li    r2, PARTS
        csrw  REP, r2
        li    r2, 28
        csrw  STA, r2
        csrw  STB, r2
        li    r3, x
        li    r4, y
        vf.fma R[at], M[r3], M[r4], R[at]
        fork  total_psum                ; the collective `total`
        join
        halt
