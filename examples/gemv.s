; y = A x. A tile has a block of A, M x K, column by column; x is in the first row of tiles, K
; elements in each, and y appears in the first column, M elements in each. M and K are multiples of 4.
.array  a, bf16, M * K
.array  x, fp32, K
.array  factors, bf16, K
.array  y, fp32, M

.kernel main
.reg    one, r1
        csrw  STR, r0
        li    r2, 1
        csrw  REP, r2
        csrw  STB, r2                   ; the next element of x in each repetition
        fork  share_psum                ; the collective `share`: x down the columns
        join
        li    r3, K
        shr   r4, r3, 2
        csrw  VL, r4
        li    one, bf16(1)
        li    r5, x
        li    r6, factors
        vf.fma M[r6], S[one], R[r5], Z
        li    r7, M
        shr   r4, r7, 2
        csrw  VL, r4
        li    r5, y
        vf.fma R[r5], S[r0], S[r0], Z
        csrw  REP, r3
        csrw  STA, r7                   ; the next column of A
        li    r7, a
        vf.fma R[r5], M[r7], MS[r6], R[r5]
        fork  sum_psum                  ; the collective `sum`: y along the rows
        join
        halt
