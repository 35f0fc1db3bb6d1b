; GELU in the tanh form of GPT-2: g(u) = u/2 * (1 + tanh(c1*u + c2*u^3)), c1 = sqrt(2/pi), c2 = 0.044715 * c1.
; One feature at a time; this row's features: M[CNT_FILTER].

; r1 u, r2 g
gelu:
  jal   r14, gelu_start
  beq   r3, r0, gelu_done
gelu_feature:
  vf.fma R[r8], M[r1], A, Z
  vf.fma R[r8], S[r6], R[r8], S[r5]
  vf.tanh R[r8], M[r1], R[r8], Z
  vf.fma R[r9], M[r1], R[r8], A
  vf.fma M[r2], S[r7], R[r9], Z
  addi  r1, r1, T
  addi  r2, r2, T
  dbnz  r3, gelu_feature
gelu_done:
  halt

gelu_start:
  li    r8, VLT
  csrw  VL, r8
  li    r8, 1
  csrw  REP, r8
  ld    r3, r0, CNT_FILTER
  li    r5, bf16(0.7978845608)
  li    r6, bf16(0.0356774081)
  li    r7, bf16(0.5)
  li    r15, bf16(1)
  li    r8, 0
  li    r9, VLT
  li    r10, 2 * VLT
  ret   r14

; du = dg * (1/2 + tanh/2 + u/2 * (1 - tanh^2) * (c1 + 3*c2*u^2)). r1 u, r2 dg, in place, r4 two scratch vectors.
gelu_back:
  jal   r14, gelu_start
  beq   r3, r0, gelu_done
  li    r11, bf16(-0.3989422804)      ; -c1/2
  li    r12, bf16(-0.0535161122)      ; -3*c2/2
  li    r13, bf16(-1)
  addi  r14, r4, T
gb_feature:
  vf.fma R[r8], M[r1], A, Z           ; u^2
  vf.fma R[r9], S[r6], R[r8], S[r5]
  vf.tanh M[r4], M[r1], R[r9], Z      ; t
  vf.fma R[r8], S[r12], R[r8], S[r11]
  vf.fma M[r14], M[r1], R[r8], Z      ; -u/2 * (c1 + 3*c2*u^2)
  vf.fma R[r9], M[r4], A, S[r13]      ; t^2 - 1
  vf.fma R[r9], M[r14], R[r9], S[r7]
  vf.fma R[r9], M[r4], S[r7], R[r9]
  vf.fma M[r2], M[r2], R[r9], Z
  addi  r1, r1, T
  addi  r2, r2, T
  dbnz  r3, gb_feature
  halt
