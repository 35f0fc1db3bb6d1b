; y = a * x + y, for N elements in each tile; N is a multiple of LANES. With GAP elements between them,
; x and y are in different halves of the memory, and each beat reads from both.
.array  x, bf16, N
.array  gap, bf16, GAP
.array  y, bf16, N

.kernel axpy a=r1
.reg    x_at, r2
.reg    y_at, r3
.reg    rest, r4
        li    x_at, x
        li    y_at, y
        li    r5, 1024                  ; whole parts of 256 beats of 4 lanes
        csrw  STA, r5
        csrw  STB, r5
        csrw  STD, r5
        csrw  VL, r0
        li    rest, N
        shr   r5, rest, 10
        csrw  REP, r5
        vf.fma M[y_at], M[x_at], S[a], M[y_at]
        shl   r5, r5, 10
        sub   rest, rest, r5
        beq   rest, r0, done
        add   x_at, x_at, r5
        add   y_at, y_at, r5
        shr   rest, rest, 2
        csrw  VL, rest
        li    r5, 1
        csrw  REP, r5
        vf.fma M[y_at], M[x_at], S[a], M[y_at]
done:   halt
