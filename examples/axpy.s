; y = a * x + y, for N elements in each tile; N is a multiple of LANES, at most 256 * LANES.
.array  x, bf16, N
.array  y, bf16, N

.kernel axpy a=r1
.reg    beats, r2
        li    beats, N
        shr   beats, beats, 2           ; 4 lanes
        csrw  VL, beats
        li    r3, 1
        csrw  REP, r3
        li    r3, x
        li    r4, y
        vf.fma M[r4], M[r3], S[a], M[r4]
        halt
