; C = A B. A tile keeps its block of A, M x K, column by column. COLUMNS columns of B are in the first row
; of tiles, K elements of each column in each, and those of C appear in the first column of tiles, M
; elements in each. M and K are multiples of 4; (M + K) * COLUMNS / 4 is at most 256.
.array  a, bf16, M * K
.array  factors, bf16, K * COLUMNS
.array  b, fp32, K * COLUMNS
.array  c, fp32, M * COLUMNS

.kernel main
.reg    one, r1
.reg    n, r2
.reg    a_at, r3
.reg    b_at, r4
.reg    c_at, r5
.reg    quarter, r6
.reg    k, r7
        csrw  STR, r0
        li    r8, 1
        csrw  REP, r8
        csrw  STB, r8                   ; the next element of B in each repetition
        li    c_at, c
        li    r9, M * COLUMNS
        shr   r9, r9, 2                 ; 4 lanes
        csrw  VL, r9
        vf.fma R[c_at], S[r0], S[r0], Z
        fork  share_psum                ; the collective `share`: B down the columns
        join
        li    r9, K * COLUMNS
        shr   r9, r9, 2
        csrw  VL, r9
        li    one, bf16(1)
        li    r9, b
        li    b_at, factors
        vf.fma M[b_at], S[one], R[r9], Z
        li    r8, M
        shr   quarter, r8, 2
        csrw  VL, quarter
        csrw  STA, r8                   ; the next column of A
        li    k, K
        csrw  REP, k
        li    a_at, a
        li    n, COLUMNS
column: vf.fma R[c_at], M[a_at], MS[b_at], R[c_at]
        add   b_at, b_at, k
        add   c_at, c_at, quarter
        dbnz  n, column
        fork  sum_psum                  ; the collective `sum`: C along the rows
        join
        halt
