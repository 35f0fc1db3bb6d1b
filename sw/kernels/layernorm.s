; LayerNorm over the features of a token, which are spread over a column   (docs/kernels.md)

; xhat = (x - mean) * rstd. r1 x, r2 xhat, r4 rstd (one vector). This row's features: M[CNT_HIDDEN].
layernorm:
  li    r3, VLT
  csrw  VL, r3
  li    r3, T
  csrw  STA, r3
  csrw  STD, r3
  li    r15, bf16(1)
  li    r5, MINUS_INV_HIDDEN_HI
  li    r6, MINUS_INV_HIDDEN_LO
  ld    r3, r0, CNT_HIDDEN
  li    r8, 0
  li    r9, VLT
  li    r10, 1
  csrw  REP, r10
  vf.fma R[r8], S[r0], S[r0], Z
  csrw  REP, r3
  vf.fma R[r8], M[r1], S[r15], R[r8]
  jal   r14, column_sum
  li    r7, 0
  jal   r14, mean
  csrw  REP, r3
  vf.fma M[r2], M[r1], S[r15], R[r8]  ; x - mean
  li    r10, 1
  csrw  REP, r10
  vf.fma R[r8], S[r0], S[r0], Z
  csrw  REP, r3
  vf.fma R[r8], M[r2], A, R[r8]
  jal   r14, column_sum
  li    r5, INV_HIDDEN_HI
  li    r6, INV_HIDDEN_LO
  li    r7, LN_EPS
  jal   r14, mean
  vf.rsqrt M[r4], S[r15], R[r8], Z
  vf.fma R[r8], M[r4], S[r15], Z
  csrw  REP, r3
  vf.fma M[r2], M[r2], R[r8], Z
  halt

; R[r8] = R[r8] * (r5 + r6) + r7, the vector split into two bf16 so that its precision stays. r9 entries = VL; the two
; vectors behind r8 are used; r14 link. Sets REP to 1.
mean:
  li    r10, 1
  csrw  REP, r10
  add   r10, r8, r9
  add   r11, r10, r9
  li    r9, bf16(-1)
  vf.fma R[r10], S[r15], R[r8], Z
  vf.fma R[r11], S[r9], R[r8], R[r8]
  vf.fma R[r8], S[r6], R[r10], S[r7]
  vf.fma R[r8], S[r5], R[r11], R[r8]
  vf.fma R[r8], S[r5], R[r10], R[r8]
  sub   r9, r11, r10
  ret   r14

; y = xhat * gamma + beta. r1 xhat, r2 y, r3 slots. The stream: for every slot gamma on xhat's index and beta on the
; always-one feature's, then CR.
affine:
  li    r8, VLT
  csrw  VL, r8
  li    r8, T
  csrw  STA, r8
  li    r8, 1
  csrw  REP, r8
  li    r15, bf16(1)
  li    r8, 0
affine_slot:
  vf.fma R[r8], S[r0], S[r0], Z
  vaxs  R[r8], M[r1]
  vf.fma M[r2], S[r15], R[r8], Z
  addi  r2, r2, T
  dbnz  r3, affine_slot
  halt

; dx += rstd * (dyg - mean(dyg) - xhat * mean(dyg * xhat)), dyg = dy * gamma.
; r1 dy, r2 dyg (scratch), r3 slots, r4 xhat, r5 rstd, r6 dx. The stream: for every slot gamma on dy's index, then CR.
layernorm_back:
  li    r8, VLT
  csrw  VL, r8
  li    r8, T
  csrw  STA, r8
  li    r8, 1
  csrw  REP, r8
  li    r15, bf16(1)
  mov   r12, r2
  mov   r13, r4
  li    r8, 0                         ; sum of dyg
  li    r9, VLT                       ; sum of dyg * xhat
  li    r10, 2 * VLT
  vf.fma R[r8], S[r0], S[r0], Z
  vf.fma R[r9], S[r0], S[r0], Z
lb_slot:
  vf.fma R[r10], S[r0], S[r0], Z
  vaxs  R[r10], M[r1]
  vf.fma M[r2], S[r15], R[r10], Z
  vf.fma R[r8], M[r2], S[r15], R[r8]
  vf.fma R[r9], M[r4], R[r10], R[r9]
  addi  r2, r2, T
  addi  r4, r4, T
  dbnz  r3, lb_slot
  mov   r1, r5
  mov   r2, r6
  li    r9, 2 * VLT
  jal   r14, column_sum
  csrw  VL, r9
  li    r5, MINUS_INV_HIDDEN_HI
  li    r6, MINUS_INV_HIDDEN_LO
  li    r7, 0
  jal   r14, mean                     ; both means, negative
  li    r9, VLT
  csrw  VL, r9
  li    r10, 2 * VLT
  ld    r3, r0, CNT_HIDDEN
  beq   r3, r0, lb_done
lb_feature:
  vf.fma R[r10], M[r13], R[r9], R[r8]
  vf.fma R[r10], M[r12], S[r15], R[r10]
  vf.fma R[r10], M[r1], R[r10], Z
  vf.fma M[r2], M[r2], S[r15], R[r10]
  addi  r12, r12, T
  addi  r13, r13, T
  addi  r2, r2, T
  dbnz  r3, lb_feature
lb_done:
  halt
