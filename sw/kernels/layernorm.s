; LayerNorm over the features of a token, which are spread over a column   (docs/explanation/kernels.md)

.reg acc, r8                  ; R: operand of column_sum and mean
.reg entries, r9              ; and its number of entries
.reg link, r14
.reg one, r15

; xhat = (x - mean) * rstd; rstd is one vector. This row's features: M[CNT_HIDDEN]. upper, lower: memory for a vector each.
.kernel layernorm x=r5 xhat=r6 rstd=r7 upper=r12 lower=r13
.reg hi, r1                   ; for mean
.reg lo, r2
.reg plus, r3
.reg features, r4
.reg once, r10
  set   VL, VLT, r4
  set   STA, T, r4
  csrw  STD, r4
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

; R[acc] = R[acc] * (hi + lo) + plus, the vector split into two bf16 to keep its precision. Both go by way of memory: a beat
; would need two cycles to read two operands from R. Sets REP to 1.
.routine mean hi=r1 lo=r2 plus=r3 upper=r12 lower=r13 minus_one=r10
  set   REP, 1, r10
  li    minus_one, bf16(-1)
  vf.fma M[upper], S[one], R[acc], Z
  vf.fma M[lower], M[upper], S[minus_one], R[acc]
  vf.fma R[acc], M[upper], S[lo], S[plus]
  vf.fma R[acc], M[lower], S[hi], R[acc]
  vf.fma R[acc], M[upper], S[hi], R[acc]
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
; slot gamma on dy's index, then CR. upper, lower: memory for two vectors each, upper in the half that xhat is not in, where dyg
; should not be, either.
.kernel layernorm_back dy=r1 dyg=r2 slots=r3 rstd=r4 dx=r5 xhat=r6 upper=r12 lower=r13
  layernorm_back_to add_to_dx

.macro add_to_dx
  vf.fma R[sum], M[rstd], R[sum], Z
  vf.fma M[dx], M[dx], S[one], R[sum]
.endm

; Backward of a token's LayerNorm; to_dx: a macro that brings rstd * R[sum] to dx. Ends a kernel.
.macro layernorm_back_to to_dx
.reg xhat_begin, r7
.reg dyg_xhat, r9             ; R: sum of the products, as acc is that of dyg
.reg sum, r10                 ; R: dyg, later dx
.reg dyg_begin, r11
  whole_columns r8
  li    one, bf16(1)
  mov   dyg_begin, dyg
  mov   xhat_begin, xhat
  li    acc, 0
  li    dyg_xhat, VLT
  li    sum, 2 * VLT
  zero  acc
  zero  dyg_xhat
lb_slot\@:
  zero  sum
  vaxs  R[sum], M[dy]
  vf.fma M[dyg], S[one], R[sum], Z
  vf.fma R[acc], M[dyg], S[one], R[acc]
  vf.fma R[dyg_xhat], M[xhat], M[dyg], R[dyg_xhat]
  addi  dyg, dyg, T
  addi  xhat, xhat, T
  dbnz  slots, lb_slot\@
.reg hi, r1                   ; for mean
.reg lo, r2
.reg plus, r3
.reg features, r3
.reg dyg_kept, r6             ; column_sum takes r11
  mov   dyg_kept, dyg_begin
  li    entries, 2 * VLT      ; both sums at once
  jal   link, column_sum
  csrw  VL, entries
  li    hi, MINUS_INV_HIDDEN_HI
  li    lo, MINUS_INV_HIDDEN_LO
  li    plus, 0
  jal   link, mean            ; both means, negative
  li    dyg_xhat, VLT
  csrw  VL, dyg_xhat
  vf.fma M[upper], S[one], R[dyg_xhat], Z
  li    sum, 2 * VLT
  ld    features, r0, CNT_HIDDEN
  beq   features, r0, lb_done\@
lb_feature\@:
  vf.fma R[sum], M[xhat_begin], M[upper], R[acc]
  vf.fma R[sum], M[dyg_kept], S[one], R[sum]
  \to_dx
  addi  dyg_kept, dyg_kept, T
  addi  xhat_begin, xhat_begin, T
  addi  dx, dx, T
  dbnz  features, lb_feature\@
lb_done\@:
  halt
.endm
