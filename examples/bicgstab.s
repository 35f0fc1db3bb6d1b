; BiCGSTAB for A x = b, with a 7-point stencil A of any coefficients and ones on its diagonal. A tile
; has a block of BX x BY columns of 4 W points, W a multiple of 4; EDGE is the larger of BX and BY, and
; (BX BY + 2 EDGE) W + 2 at most 256. Columns are folded: lane l of vector i is point l W + i, and one
; more vector at each end has the neighbours across lanes. Vectors are bf16, sums fp32, scalars rounded
; to bf16. The wafer has two rows of tiles or more. bicgstab_sums.s has the routines `place` and `total`.
.equ    COLUMN, 4 * W + 8               ; elements from column to column
.equ    ROW_OF_COLUMNS, BY * COLUMN
.equ    COLUMNS, BX * BY
.equ    SIZE, COLUMNS * COLUMN
.array  north, bf16, SIZE               ; coefficients of the neighbours: x - 1 ...
.array  south, bf16, SIZE
.array  west, bf16, SIZE                ; ... y - 1 ...
.array  east, bf16, SIZE
.array  down, bf16, SIZE                ; ... z - 1 ...
.array  up, bf16, SIZE
.array  x, bf16, SIZE
.array  r, bf16, SIZE                   ; residual
.array  v, bf16, SIZE                   ; A p
.array  t, bf16, SIZE                   ; A s
.array  of_north, bf16, 4 * BY * W      ; columns of the neighbours' edges
.array  of_south, bf16, 4 * BY * W
.array  of_west, bf16, 4 * BX * W
.array  of_east, bf16, 4 * BX * W
.array  unit, bf16, 16                  ; four unit vectors
.array  cells, bf16, 48                 ; scalars on their way to registers
.array  gap, bf16, GAP                  ; brings what follows into the upper half of the memory
.array  p, bf16, SIZE
.array  s, bf16, SIZE
.array  b, bf16, SIZE                   ; right side
.array  product, fp32, 4 * COLUMNS * W
.array  edges, fp32, 8 * EDGE * W + 8   ; to be sent east and west, then south and north
.equ    sums, edges                     ; dot products: W entries each ...
.equ    totals, edges + 2 * W           ; ... and one over all tiles

; Registers of psum that keep this tile's place on the wafer.
.reg    row, r8
.reg    last_row, r9
.reg    middle_row, r10
.reg    col, r11
.reg    last_col, r12
.reg    middle_col, r13
.reg    parity, r14
.reg    single, r15

.macro  control name, value
        li    r15, \value
        csrw  \name, r15
.endm
.macro  whole_block                     ; a beat for each vector of each column
        control VL, W
        control REP, COLUMNS
        control STA, COLUMN
        control STB, COLUMN
        control STD, COLUMN
        control STR, W
.endm
.macro  update to, a, scalar, c         ; to = a * scalar + c
        li    r2, \a + 4
        li    r3, \c + 4
        li    r4, \to + 4
        vf.fma M[r4], M[r2], S[\scalar], M[r3]
.endm
.macro  begin_dots                      ; sums and totals are 0
        control VL, 2 * W + 2
        control REP, 1
        csrw  STR, r0
        li    r4, sums
        vf.fma R[r4], S[r0], S[r0], Z
        control VL, W
        control REP, COLUMNS
.endm
.macro  dot number, a, b                ; over all columns, each added to the same entries
        li    r4, sums + \number * W
        li    r2, \a + 4
        li    r3, \b + 4
        vf.fma R[r4], M[r2], M[r3], R[r4]
.endm
.macro  add_over_tiles dots
        li    r15, \dots
        mvp   r1, r15
        fork  total
.endm
.macro  scalars                         ; a beat for all lanes: scalars have the same value in each
        join
        control VL, 1
        control REP, 1
        li    r2, cells
        li    r3, totals
.endm

; x after `steps` iterations from 0, and the residual r.
.kernel solve steps=r1
.reg    rho, r10
.reg    alpha, r11
.reg    omega, r12
.reg    minus, r13
.reg    one, r14
        li    one, bf16(1)
        fork  place
        control VL, W
        control STD, 4 * W              ; zeros beyond the edges of the mesh
        control REP, 2 * (BX + BY)
        li    r2, of_north
        vf.fma M[r2], S[r0], S[r0], Z
        whole_block
        li    r2, b + 4
        li    r3, x + 4
        li    r4, r + 4
        li    r5, p + 4
        vf.fma M[r3], S[r0], S[r0], Z
        vf.fma M[r4], M[r2], S[one], Z
        vf.fma M[r5], M[r2], S[one], Z
        begin_dots
        dot   0, b, r
        join
        add_over_tiles 1
        scalars
        vf.fma M[r2], S[one], R[r3], Z
        ld    rho, r2, 0
step:   li    r8, p
        li    r9, v + 4
        jal   r7, multiply
        begin_dots
        dot   0, b, v
        add_over_tiles 1
        scalars
        vf.recip M[r2], S[one], R[r3], Z
        vf.fma M[r2], M[r2], S[rho], Z
        ld    alpha, r2, 0              ; rho / (b, v)
        li    r4, 0x8000
        xor   minus, alpha, r4
        whole_block
        update s, v, minus, r
        li    r8, s
        li    r9, t + 4
        jal   r7, multiply
        begin_dots
        dot   0, t, t
        dot   1, s, t
        add_over_tiles 2
        whole_block
        update x, p, alpha, x           ; meanwhile
        scalars
        vf.recip M[r2], S[one], R[r3], Z
        addi  r3, r3, 1
        vf.fma M[r2], M[r2], R[r3], Z
        ld    omega, r2, 0              ; (t, s) / (t, t)
        li    r4, 0x8000
        xor   minus, omega, r4
        whole_block
        update r, t, minus, s
        begin_dots
        dot   0, b, r
        add_over_tiles 1
        whole_block
        update x, s, omega, x           ; meanwhile, with alpha / (omega rho)
        update p, v, minus, p
        control VL, 1
        control REP, 1
        li    r2, cells + 16
        li    r3, cells + 32
        vf.recip M[r2], S[rho], S[one], Z
        vf.recip M[r3], S[omega], S[one], Z
        vf.fma M[r3], M[r3], S[alpha], Z
        vf.fma M[r2], M[r2], M[r3], Z
        scalars
        vf.fma M[r2], S[one], R[r3], Z
        ld    rho, r2, 0
        addi  r4, r2, 16
        vf.fma M[r2], M[r4], S[rho], Z
        ld    r5, r2, 0                 ; beta
        whole_block
        update p, p, r5, r
        dbnz  steps, step
        halt

; The vector at r9 = A times the one at r8; r7 is the return address.
.macro  edge to, from, stride, count    ; a column of each row, or a row of columns
        control REP, \count
        control STA, \stride
        li    r4, \to
        addi  r2, r8, \from
        vf.fma R[r4], M[r2], S[one], Z
.endm
.macro  term to, coefficient, from, sum
        li    r4, product + \to
        li    r2, \coefficient
        addi  r3, r8, \from
        vf.fma R[r4], M[r2], M[r3], \sum
.endm
.macro  at_edge to, coefficient, from
        li    r4, product + \to
        li    r2, \coefficient
        li    r3, \from
        vf.fma R[r4], M[r2], M[r3], R[r4]
.endm
.macro  across lane, from, sum          ; a lane of each column's vector `from` goes to another lane
        li    r2, unit + 4 * \lane
        addi  r3, r8, \from
        vf.fma R[r4], M[r2], MS[r3], \sum
.endm
multiply:
        control VL, W
        control STR, W
        edge  edges, ROW_OF_COLUMNS - COLUMN + 4, ROW_OF_COLUMNS, BX
        edge  edges + BX * W, 4, ROW_OF_COLUMNS, BX
        fork  exchange_along_y
        control VL, 1                   ; meanwhile the neighbours in z across lanes ...
        control STR, 1
        control STA, 0
        control STB, COLUMN
        control STD, COLUMN
        control REP, COLUMNS
        li    r4, product
        across 1, 4 * W, Z
        across 2, 4 * W + 1, R[r4]
        across 3, 4 * W + 2, R[r4]
        li    r4, product + COLUMNS
        across 0, 5, Z
        across 1, 6, R[r4]
        across 2, 7, R[r4]
        li    r4, product
        vf.fma M[r8], S[r0], S[r0], R[r4]
        li    r4, product + COLUMNS
        addi  r2, r8, 4 * W + 4
        vf.fma M[r2], S[r0], S[r0], R[r4]
        whole_block                     ; ... and products with points of the tile
        term  0, down + 4, 0, Z
        term  0, up + 4, 8, R[r4]
        join
        edge  edges, SIZE - ROW_OF_COLUMNS + 4, COLUMN, BY
        edge  edges + BY * W, 4, COLUMN, BY
        fork  exchange_along_x
        control REP, COLUMNS - BY
        term  BY * W, north + 4 + ROW_OF_COLUMNS, 4, R[r4]
        term  0, south + 4, 4 + ROW_OF_COLUMNS, R[r4]
        control REP, BY - 1
        li    r5, BX
        li    r4, product
        li    r6, west + 4
        addi  r3, r8, 4
next_row: addi  r4, r4, W
        addi  r2, r6, COLUMN
        vf.fma R[r4], M[r2], M[r3], R[r4]
        addi  r4, r4, -W
        addi  r2, r6, east - west
        addi  r3, r3, COLUMN
        vf.fma R[r4], M[r2], M[r3], R[r4]
        addi  r4, r4, BY * W
        addi  r6, r6, ROW_OF_COLUMNS
        addi  r3, r3, ROW_OF_COLUMNS - COLUMN
        dbnz  r5, next_row
        join
        control REP, BX
        control STA, ROW_OF_COLUMNS
        control STB, 4 * W
        control STR, BY * W
        at_edge 0, west + 4, of_west
        at_edge (BY - 1) * W, east + 4 + ROW_OF_COLUMNS - COLUMN, of_east
        control REP, BY
        control STA, COLUMN
        control STR, W
        at_edge 0, north + 4, of_north
        at_edge (COLUMNS - BY) * W, south + 4 + SIZE - ROW_OF_COLUMNS, of_south
        control REP, COLUMNS
        control STB, COLUMN
        li    r4, product
        addi  r2, r8, 4
        vf.fma M[r9], M[r2], S[one], R[r4]
        jr    r7

; Tiles of even row + column send their four edges first, the others take first.
.macro  send color, last, index, from
        beq   \index, \last, sent\@
        li    at, \from
        vs.mov own=R[at], out=\color
sent\@:
.endm
.macro  take color, last, index, to
        beq   \index, \last, taken\@
        li    at, \to
        vs.mov in=\color, dst=M[at]
taken\@:
.endm
.macro  exchange there, back, index, last, vectors, from_back, from_there
        li    r2, \vectors
        csrw  VL, r2
        bne   parity, r0, odd\@
        send  \there, \last, \index, edges
        send  \back, r0, \index, edges + \vectors
        take  \there, r0, \index, \from_back
        take  \back, \last, \index, \from_there
        halt
odd\@:  take  \there, r0, \index, \from_back
        take  \back, \last, \index, \from_there
        send  \there, \last, \index, edges
        send  \back, r0, \index, edges + \vectors
        halt
.endm
.routine exchange_along_y at=r1
        exchange to_east, to_west, col, last_col, BX * W, of_west, of_east
.routine exchange_along_x at=r1
        exchange to_south, to_north, row, last_row, BY * W, of_north, of_south
