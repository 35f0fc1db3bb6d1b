; GEMM, embedding and LayerNorm where a column has one beat of tokens: outputs are interleaved in the stream
; (docs/explanation/psum.md), and work that does not depend on a sum is done while the sum is computed.
;
; T = LANES. A group has `each` outputs, the last group of a home row fewer.

.macro interleaved_start
  li    r8, T
  csrw  STA, r8
  csrw  VL, each
  mvp   r1, y
  mvp   r2, homes
  mvp   r3, each
  fork  interleaved_psum
.endm

.reg acc, r5                  ; accumulators, behind the three buffers of partial sums
.macro interleaved_accumulators
  set   REP, 1, r8
  add   acc, each, each
  add   acc, acc, each
  zero  acc
.endm

; y[o] = sum over the stream's weights of w * x[i], as gemm. The stream: for every group its outputs' weights in turn, then
; CR. homes: the table "outputs at home in row h".
.kernel gemm_interleaved x=r1 groups=r2 y=r3 homes=r4 each=r7
  interleaved_start
  interleaved_accumulators
gemm_interleaved_group:
  vaxs  R[acc], M[x], interleave
  vcr   R[r0], R[acc]
  dbnz  groups, gemm_interleaved_group
  join
  halt

; Embedding, as embed. The stream: for every group its outputs' weights of token ids in turn, CR, weights of positions, CR.
.kernel embed_interleaved ids=r1 groups=r2 y=r3 homes=r4 positions=r6 each=r7
  interleaved_start
  interleaved_accumulators
embed_interleaved_group:
  vaxs  R[acc], OH[ids], interleave
  vaxs  R[acc], OH[positions], interleave
  vcr   R[r0], R[acc]
  dbnz  groups, embed_interleaved_group
  join
  halt

; gemm_interleaved in two cycles a partial sum.
.kernel gemm_interleaved_rotating x=r1 groups=r2 y=r3 homes=r4 each=r7
  interleaved_start
gemm_interleaved_rotating_group:
  vaxs  Q[r0], M[x], put, interleave
  dbnz  groups, gemm_interleaved_rotating_group
  join
  halt

; embed_interleaved in two cycles a partial sum.
.kernel embed_interleaved_rotating ids=r1 groups=r2 y=r3 homes=r4 positions=r6 each=r7
  interleaved_start
embed_interleaved_rotating_group:
  vaxs  Q[r0], OH[ids], interleave
  vaxs  Q[r0], OH[positions], put, interleave
  dbnz  groups, embed_interleaved_rotating_group
  join
  halt

.macro interleaved_middle
  vs.add in=RING, own=Q[at], out=RING
.endm
.macro interleaved_first
  vs.mov own=Q[at], out=RING
.endm
.macro interleaved_last
  vs.add in=RING, own=Q[at], dst=M[y]
  add   y, y, step
.endm
.macro interleaved_alone
  vs.mov own=Q[at], dst=M[y]
  add   y, y, step
.endm

; A row's work for the groups of a home row.
.macro interleaved_groups body
group\@:
  bge   left, each, whole\@
  jal   link, interleaved_fewer
whole\@:
  sub   left, left, each
  addi  groups, groups, 1
  \body
  bne   left, r0, group\@
  jmp   interleaved_next
.endm

; As gemm_psum, but with outputs in groups. Buffers begin at entry 0.
.routine interleaved_psum y=r1 homes=r2 each=r3
.reg row, r5
.reg rows, r6
.reg home, r7
.reg left, r8                 ; outputs of this home row
.reg first, r9                ; row where their sums start
.reg at, r10                  ; the first buffer, for the current VL
.reg groups, r11              ; so far, possibly less a multiple of 3
.reg step, r12                ; elements of a group's outputs
.reg turns, r13
.reg link, r14
  csrr  row, ROW
  csrr  rows, ROWS
  li    home, 0
  li    groups, 0
  li    turns, 3
  shl   step, each, LANE_BITS
interleaved_home:
  ld    left, homes, 0
  csrw  VL, each
  li    at, 0
  beq   left, r0, interleaved_next
  addi  first, home, 1
  beq   row, home, interleaved_end
  bne   first, rows, interleaved_begins
  li    first, 0
interleaved_begins:
  beq   row, first, interleaved_starts
  interleaved_groups interleaved_middle
interleaved_starts:
  interleaved_groups interleaved_first
interleaved_end:
  beq   rows, first, interleaved_of_one
interleaved_end_groups:
  interleaved_groups interleaved_last
interleaved_of_one:
  bne   home, r0, interleaved_end_groups
  interleaved_groups interleaved_alone
interleaved_next:
  addi  homes, homes, 1
  addi  home, home, 1
  bne   home, rows, interleaved_home
  halt

; The last, smaller group of a home row: sets VL to its outputs, and `at` so that its buffer, at buffer * each, is at `at` + turn * VL.
interleaved_fewer:
  csrw  VL, left
  blt   groups, turns, interleaved_turn
  sub   groups, groups, turns
  jmp   interleaved_fewer
interleaved_turn:
  mov   first, groups
  beq   first, r0, interleaved_at
interleaved_before:
  add   at, at, each
  sub   at, at, left
  dbnz  first, interleaved_before
interleaved_at:
  mov   left, each
  ret   link

; y = xhat * gamma + beta, as affine. The stream: for every group of slots gammas on xhat's indices, betas on the always-one
; feature's, then CR.
.kernel affine_interleaved xhat=r1 y=r2 slots=r3 each=r4
.reg now, r6                  ; slots of this group
.reg one, r15
  set   REP, 1, r8
  set   STA, T, r8
  li    one, bf16(1)
affine_interleaved_group:
  mov   now, slots
  blt   slots, each, affine_interleaved_fewer
  mov   now, each
affine_interleaved_fewer:
  csrw  VL, now
  zero  r0
  vaxs  R[r0], M[xhat], interleave
  vf.fma M[y], S[one], R[r0], Z
  sub   slots, slots, now
  shl   now, now, LANE_BITS
  add   y, y, now
  bne   slots, r0, affine_interleaved_group
  halt

; Sums R[0] over all rows, with psum's registers as arguments, then multiplies by hi + lo and adds a number, as layernorm.s's mean.
.macro mean_of_rows plus
  beq   last, r0, alone\@
  fork  sum_psum
  join
alone\@:
  vf.fma R[upper], S[one], R[r0], Z
  vf.fma R[lower], S[minus_one], R[upper], R[r0]
  vf.fma R[r0], S[lo], R[upper], S[\plus]
  vf.fma R[r0], S[hi], R[lower], R[r0]
  vf.fma R[r0], S[hi], R[upper], R[r0]
.endm

; xhat = (x - mean) * rstd, as layernorm.
.kernel layernorm_one x=r1 xhat=r2 rstd=r4
.reg features, r3
.reg hi, r5
.reg lo, r6
.reg once, r7
.reg upper, r8                ; R
.reg lower, r9
.reg minus_one, r10
.reg last, r11                ; row
.reg epsilon, r12
.reg one, r15
  ld    features, r0, CNT_HIDDEN
  li    once, 1
  csrw  VL, once
  csrw  REP, once
  zero  r0
  csrw  REP, features
  li    hi, T
  csrw  STA, hi
  csrw  STD, hi
  li    one, bf16(1)
  vf.fma R[r0], M[x], S[one], R[r0]
  csrr  last, ROWS
  addi  last, last, -1
  mvp   r1, r0                ; for sum_psum: R[0], one entry, all rows
  mvp   r2, once
  mvp   r3, r0
  mvp   r4, last
  li    hi, MINUS_INV_HIDDEN_HI
  li    lo, MINUS_INV_HIDDEN_LO
  li    upper, 1
  li    lower, 2
  li    minus_one, bf16(-1)
  li    epsilon, LN_EPS
  csrw  REP, once
  mean_of_rows r0
  csrw  REP, features
  vf.fma M[xhat], M[x], S[one], R[r0]
  csrw  REP, once
  zero  r0
  csrw  REP, features
  vf.fma R[r0], M[xhat], A, R[r0]
  csrw  REP, once
  li    hi, INV_HIDDEN_HI
  li    lo, INV_HIDDEN_LO
  mean_of_rows epsilon
  vf.rsqrt M[rstd], S[one], R[r0], Z
  vf.fma R[r0], M[rstd], S[one], Z
  csrw  REP, features
  vf.fma M[xhat], M[xhat], R[r0], Z
  halt
