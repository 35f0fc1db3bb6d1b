; LayerNorm where a column has one beat of tokens: work that does not depend on a sum is done while the sum is computed.
;
; T = LANES.

; Sums R[0] over all rows, with psum's registers as arguments, then multiplies by hi + lo and adds one, as layernorm.s's mean.
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
