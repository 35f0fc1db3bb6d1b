; Sparse GEMM, forward and delta: Y[o] = sum over the stream's weights of w * X[i]   (docs/kernels.md)
;
; main: r1 x base, r2 outputs. r3 y base, r4 address of the table "outputs at home in row h".
; The stream: for every output its weights, then CR; outputs in the order of their home row and slot.

gemm:
  jal   r14, gemm_start
gemm_output:
  vaxs  R[r5], M[r1]
  vcr   R[r6], R[r5]
  dbnz  r2, gemm_output
  join
  halt

; Embedding: two one-hot streams per output, token ids at r1 and positions at r7, each ended by a CR.
embed:
  jal   r14, gemm_start
embed_output:
  vaxs  R[r5], OH[r1]
  vaxs  R[r5], OH[r7]
  vcr   R[r6], R[r5]
  dbnz  r2, embed_output
  join
  halt

gemm_start:
  li    r8, VLT
  csrw  VL, r8
  li    r8, T
  csrw  STA, r8
  li    r8, 1
  csrw  REP, r8
  li    r5, 0                 ; accumulators
  li    r6, VLT               ; two buffers of partial sums
  vf.fma R[r5], S[r0], S[r0], Z
  mvp   r1, r3
  mvp   r2, r4
  mvp   r4, r6
  fork  gemm_psum
  ret   r14

; psum: r1 y, r2 table, r4 partial sums. Row h's outputs start at row h+1, pass every row and end at row h.
gemm_psum:
  li    r3, VLT
  csrw  VL, r3
  csrr  r5, ROW
  csrr  r6, ROWS
  li    r7, 0                 ; h
  li    r10, 1
gp_home:
  ld    r8, r2, 0
  beq   r8, r0, gp_next
  beq   r6, r10, gp_alone
  beq   r5, r7, gp_end
  addi  r9, r7, 1
  bne   r9, r6, gp_first
  li    r9, 0
gp_first:
  beq   r5, r9, gp_start
gp_middle:
  vs.add in=RING, own=Q[r4], out=RING
  dbnz  r8, gp_middle
  jmp   gp_next
gp_start:
  vs.mov own=Q[r4], out=RING
  dbnz  r8, gp_start
  jmp   gp_next
gp_end:
  vs.add in=RING, own=Q[r4], dst=M[r1]
  addi  r1, r1, T
  dbnz  r8, gp_end
  jmp   gp_next
gp_alone:
  vs.mov own=Q[r4], dst=M[r1]
  addi  r1, r1, T
  dbnz  r8, gp_alone
gp_next:
  addi  r2, r2, 1
  addi  r7, r7, 1
  bne   r7, r6, gp_home
  halt
