; RMSNorm: LayerNorm without the mean. Its scale and shift are affine's, in layernorm.s   (docs/explanation/kernels.md)

.reg acc, r8                  ; R: operand of column_sum and mean
.reg entries, r9              ; and its number of entries
.reg link, r14
.reg one, r15

; xhat = x * rstd; rstd is one vector. This row's features: M[CNT_HIDDEN]. upper, lower: memory for a vector each.
.kernel rmsnorm x=r5 xhat=r6 rstd=r7 upper=r12 lower=r13
.reg hi, r1                   ; for mean
.reg lo, r2
.reg plus, r3
.reg features, r4
.reg once, r10
  set   VL, VLT, r4
  set   STA, T, r4
  csrw  STD, r4
  li    one, bf16(1)
  ld    features, r0, CNT_HIDDEN
  li    acc, 0
  li    entries, VLT
  set   REP, 1, once
  zero  acc
  csrw  REP, features
  vf.fma R[acc], M[x], A, R[acc]
  jal   link, column_sum
  li    hi, INV_HIDDEN_HI
  li    lo, INV_HIDDEN_LO
  li    plus, LN_EPS
  jal   link, mean
  vf.rsqrt M[rstd], S[one], R[acc], Z
  vf.fma R[acc], M[rstd], S[one], Z
  csrw  REP, features
  vf.fma M[xhat], M[x], R[acc], Z
  halt

; dx += rstd * (dyg - xhat * mean(dyg * xhat)), dyg = dy * gamma in scratch memory. Stream and memory are those of
; layernorm_back.
.kernel rmsnorm_back dy=r1 dyg=r2 slots=r3 rstd=r4 dx=r5 xhat=r6 upper=r12 lower=r13
.reg xhat_begin, r7
.reg sum, r10                 ; R: dyg, later dx
.reg dyg_begin, r11
  whole_columns r8
  li    one, bf16(1)
  mov   dyg_begin, dyg
  mov   xhat_begin, xhat
  li    acc, 0
  li    sum, VLT
  zero  acc
rb_slot:
  zero  sum
  vaxs  R[sum], M[dy]
  vf.fma M[dyg], S[one], R[sum], Z
  vf.fma R[acc], M[xhat], M[dyg], R[acc]
  addi  dyg, dyg, T
  addi  xhat, xhat, T
  dbnz  slots, rb_slot
.reg hi, r1                   ; for mean
.reg lo, r2
.reg plus, r3
.reg features, r3
.reg dyg_kept, r6             ; column_sum takes r11
  mov   dyg_kept, dyg_begin
  li    entries, VLT
  jal   link, column_sum
  li    hi, MINUS_INV_HIDDEN_HI
  li    lo, MINUS_INV_HIDDEN_LO
  li    plus, 0
  jal   link, mean            ; negative
  vf.fma M[upper], S[one], R[acc], Z
  li    sum, VLT
  ld    features, r0, CNT_HIDDEN
  beq   features, r0, rb_done
rb_feature:
  vf.fma R[sum], M[xhat_begin], M[upper], Z
  vf.fma R[sum], M[dyg_kept], S[one], R[sum]
  vf.fma R[sum], M[rstd], R[sum], Z
  vf.fma M[dx], M[dx], S[one], R[sum]
  addi  dyg_kept, dyg_kept, T
  addi  xhat_begin, xhat_begin, T
  addi  dx, dx, T
  dbnz  features, rb_feature
rb_done:
  halt
