; Sparse GEMM, forward and delta   (docs/explanation/kernels.md)

.reg acc, r5                  ; accumulators
.reg sums, r6                 ; three buffers of partial sums
.reg link, r14

; y[o] = sum over the stream's weights of w * x[i]. The stream: for every output its weights, then CR; outputs in the
; order of their home row and slot. homes: the table "outputs at home in row h".
.kernel gemm x=r1 outputs=r2 y=r3 homes=r4
  jal   link, gemm_start
  zero  acc
gemm_output:
  vaxs  R[acc], M[x]
  vcr   R[sums], R[acc]
  next_output gemm_output
  join
  halt

; gemm in two cycles a partial sum, not four (docs/explanation/psum.md): weights are added up in the buffers themselves,
; in turn.
.kernel gemm_rotating x=r1 outputs=r2 y=r3 homes=r4
  jal   link, rotating_start
gemm_rotating_output:
  vaxs  Q[sums], M[x], put
  next_output gemm_rotating_output
  join
  halt

; Embedding, a GEMM over one-hot features. The stream: for every output weights of token ids, CR, weights of positions,
; CR.
.kernel embed ids=r1 outputs=r2 y=r3 homes=r4 positions=r7
  jal   link, gemm_start
  zero  acc
embed_output:
  vaxs  R[acc], OH[ids]
  vaxs  R[acc], OH[positions]
  vcr   R[sums], R[acc]
  next_output embed_output
  join
  halt

; embed in two cycles a partial sum.
.kernel embed_rotating ids=r1 outputs=r2 y=r3 homes=r4 positions=r7
  jal   link, rotating_start
embed_rotating_output:
  vaxs  Q[sums], OH[ids]
  vaxs  Q[sums], OH[positions], put
  next_output embed_rotating_output
  join
  halt

.routine gemm_start y=r3 homes=r4
  li    acc, 0
  set   REP, 1, r8
; Entry for kernels that need no cleared accumulators.
rotating_start:
  set   VL, VLT, r8
  set   STA, T, r8
  li    sums, VLT
  mvp   r1, y
  mvp   r2, homes
  mvp   r4, sums
  first_output homes
  fork  gemm_psum
  ret   link

; Row h's outputs start at row h+1, pass every row and end at row h.
.routine gemm_psum y=r1 homes=r2 own=r4
.reg row, r5
.reg rows, r6
.reg home, r7
.reg left, r8                 ; outputs of this home row
.reg first, r9                ; row where their sums start
.reg one, r10
  set   VL, VLT, r3
  csrr  row, ROW
  csrr  rows, ROWS
  li    home, 0
  li    one, 1
gp_home:
  ld    left, homes, 0
  beq   left, r0, gp_next
  beq   rows, one, gp_alone
  beq   row, home, gp_end
  addi  first, home, 1
  bne   first, rows, gp_first
  li    first, 0
gp_first:
  beq   row, first, gp_start
gp_middle:
  vs.add in=RING, own=Q[own], out=RING
  dbnz  left, gp_middle
  jmp   gp_next
gp_start:
  vs.mov own=Q[own], out=RING
  dbnz  left, gp_start
  jmp   gp_next
gp_end:
  vs.add in=RING, own=Q[own], dst=M[y]
  addi  y, y, T
  dbnz  left, gp_end
  jmp   gp_next
gp_alone:
  vs.mov own=Q[own], dst=M[y]
  addi  y, y, T
  dbnz  left, gp_alone
gp_next:
  addi  homes, homes, 1
  addi  home, home, 1
  bne   home, rows, gp_home
  halt
