; The dot product of x and y over all tiles: 32 sums in each tile, which the host adds. A tile has N
; elements, a multiple of 32, which are 8 beats of 4 lanes: so many, since a beat needs the one 7
; cycles before it.
.array  x, bf16, N
.array  y, bf16, N
.array  dot, fp32, 32

.kernel main
.reg    at, r1
        csrw  STR, r0                   ; all repetitions add to the same accumulators
        li    r2, 8
        csrw  VL, r2
        li    r2, 1
        csrw  REP, r2
        li    at, dot
        vf.fma R[at], S[r0], S[r0], Z
        li    r2, N
        shr   r2, r2, 5
        csrw  REP, r2
        li    r2, 32
        csrw  STA, r2
        csrw  STB, r2
        li    r3, x
        li    r4, y
        vf.fma R[at], M[r3], M[r4], R[at]
        fork  total_psum                ; the collective `total`
        join
        halt
