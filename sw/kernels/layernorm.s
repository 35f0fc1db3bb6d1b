; LayerNorm over the features of a token, which are spread over a column   (docs/kernels.md)

.reg acc, r8                  ; R: what column_sum and mean work on
.reg entries, r9              ; and how much of it
.reg link, r14
.reg one, r15

; xhat = (x - mean) * rstd; rstd is one vector. This row's features: M[CNT_HIDDEN].
.kernel layernorm x=r1 xhat=r2 rstd=r4
.reg features, r3
.reg hi, r5                   ; for mean
.reg lo, r6
.reg plus, r7
.reg once, r10
  set   VL, VLT, r3
  set   STA, T, r3
  csrw  STD, r3
  li    one, bf16(1)
  li    hi, MINUS_INV_HIDDEN_HI
  li    lo, MINUS_INV_HIDDEN_LO
  ld    features, r0, CNT_HIDDEN
  li    acc, 0
  li    entries, VLT
  set   REP, 1, once
  zero  acc
  csrw  REP, features
  vf.fma R[acc], M[x], S[one], R[acc]
  jal   link, column_sum
  li    plus, 0
  jal   link, mean
  csrw  REP, features
  vf.fma M[xhat], M[x], S[one], R[acc]  ; x - mean
  set   REP, 1, once
  zero  acc
  csrw  REP, features
  vf.fma R[acc], M[xhat], A, R[acc]
  jal   link, column_sum
  li    hi, INV_HIDDEN_HI
  li    lo, INV_HIDDEN_LO
  li    plus, LN_EPS
  jal   link, mean
  vf.rsqrt M[rstd], S[one], R[acc], Z
  vf.fma R[acc], M[rstd], S[one], Z
  csrw  REP, features
  vf.fma M[xhat], M[xhat], R[acc], Z
  halt

; R[acc] = R[acc] * (hi + lo) + plus, the vector split into two bf16 so that its precision stays. `entries` = VL; the
; two vectors behind acc are used. Sets REP to 1.
.routine mean hi=r5 lo=r6 plus=r7 upper=r10 lower=r11
  set   REP, 1, r10
  add   upper, acc, entries
  add   lower, upper, entries
  li    entries, bf16(-1)
  vf.fma R[upper], S[one], R[acc], Z
  vf.fma R[lower], S[entries], R[acc], R[acc]
  vf.fma R[acc], S[lo], R[upper], S[plus]
  vf.fma R[acc], S[hi], R[lower], R[acc]
  vf.fma R[acc], S[hi], R[upper], R[acc]
  sub   entries, lower, upper
  ret   link

; y = xhat * gamma + beta. The stream: for every slot gamma on xhat's index and beta on the always-one feature's, then
; CR.
.kernel affine xhat=r1 y=r2 slots=r3
  whole_columns r8
  li    one, bf16(1)
  li    acc, 0
affine_slot:
  zero  acc
  vaxs  R[acc], M[xhat]
  vf.fma M[y], S[one], R[acc], Z
  addi  y, y, T
  dbnz  slots, affine_slot
  halt

; dx += rstd * (dyg - mean(dyg) - xhat * mean(dyg * xhat)), dyg = dy * gamma in scratch memory. The stream: for every
; slot gamma on dy's index, then CR. beside: a vector of memory that is not in xhat's half, where dyg should not be, either.
.kernel layernorm_back dy=r1 dyg=r2 slots=r3 beside=r4 rstd=r5 dx=r6 xhat=r7
.reg dyg_xhat, r9             ; R: sum of the products, as acc is that of dyg
.reg sum, r10                 ; R: dyg, later dx
.reg dyg_begin, r12
.reg xhat_begin, r13
  whole_columns r8
  li    one, bf16(1)
  mov   dyg_begin, dyg
  mov   xhat_begin, xhat
  li    acc, 0
  li    dyg_xhat, VLT
  li    sum, 2 * VLT
  zero  acc
  zero  dyg_xhat
lb_slot:
  zero  sum
  vaxs  R[sum], M[dy]
  vf.fma M[dyg], S[one], R[sum], Z
  vf.fma R[acc], M[dyg], S[one], R[acc]
  vf.fma R[dyg_xhat], M[xhat], M[dyg], R[dyg_xhat]
  addi  dyg, dyg, T
  addi  xhat, xhat, T
  dbnz  slots, lb_slot
.reg rstd_kept, r1            ; mean wants r5 to r7
.reg dx_kept, r2
.reg features, r3
  mov   rstd_kept, rstd
  mov   dx_kept, dx
  li    entries, 2 * VLT      ; both sums at once
  jal   link, column_sum
  csrw  VL, entries
  li    r5, MINUS_INV_HIDDEN_HI
  li    r6, MINUS_INV_HIDDEN_LO
  li    r7, 0
  jal   link, mean            ; both means, negative
  li    dyg_xhat, VLT
  csrw  VL, dyg_xhat
  vf.fma M[beside], S[one], R[dyg_xhat], Z
  li    sum, 2 * VLT
  ld    features, r0, CNT_HIDDEN
  beq   features, r0, lb_done
lb_feature:
  vf.fma R[sum], M[xhat_begin], M[beside], R[acc]
  vf.fma R[sum], M[dyg_begin], S[one], R[sum]
  vf.fma R[sum], M[rstd_kept], R[sum], Z
  vf.fma M[dx_kept], M[dx_kept], S[one], R[sum]
  addi  dyg_begin, dyg_begin, T
  addi  xhat_begin, xhat_begin, T
  addi  dx_kept, dx_kept, T
  dbnz  features, lb_feature
lb_done:
  halt
