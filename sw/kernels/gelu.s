; GELU in the tanh form of GPT-2. One feature at a time; this row's features: M[CNT_FILTER].

.reg features, r3
.reg c1, r5
.reg c2, r6
.reg half, r7
.reg a, r8                    ; R: two vectors
.reg b, r9
.reg link, r14

; g = u/2 * (1 + tanh(c1*u + c2*u^3)), c1 = sqrt(2/pi), c2 = 0.044715 * c1.
.kernel gelu u=r1 g=r2
  jal   link, gelu_start
  beq   features, r0, gelu_done
gelu_feature:
  vf.fma R[a], M[u], A, Z
  vf.fma R[a], S[c2], R[a], S[c1]
  vf.tanh R[a], M[u], R[a], Z
  vf.fma R[b], M[u], R[a], A
  vf.fma M[g], S[half], R[b], Z
  addi  u, u, T
  addi  g, g, T
  dbnz  features, gelu_feature
gelu_done:
  halt

.routine gelu_start
  set   VL, VLT, r8
  set   REP, 1, r8
  ld    features, r0, CNT_FILTER
  li    c1, bf16(0.7978845608)
  li    c2, bf16(0.0356774081)
  li    half, bf16(0.5)
  li    r15, bf16(1)
  li    a, 0
  li    b, VLT
  li    r10, 2 * VLT
  ret   link

; du = dg * (1/2 + tanh/2 + u/2 * (1 - tanh^2) * (c1 + 3*c2*u^2)), in dg's place. scratch: two vectors of memory.
.kernel gelu_back u=r1 dg=r2 scratch=r4
.reg minus_c1, r11            ; -c1/2
.reg minus_c2, r12            ; -3*c2/2
.reg minus_one, r13
.reg second, r14
  jal   link, gelu_start
  beq   features, r0, gelu_done
  li    minus_c1, bf16(-0.3989422804)
  li    minus_c2, bf16(-0.0535161122)
  li    minus_one, bf16(-1)
  addi  second, scratch, T
gb_feature:
  vf.fma R[a], M[u], A, Z             ; u^2
  vf.fma R[b], S[c2], R[a], S[c1]
  vf.tanh M[scratch], M[u], R[b], Z   ; t
  vf.fma R[a], S[minus_c2], R[a], S[minus_c1]
  vf.fma M[second], M[u], R[a], Z     ; -u/2 * (c1 + 3*c2*u^2)
  vf.fma R[b], M[scratch], A, S[minus_one]
  vf.fma R[b], M[second], R[b], S[half]
  vf.fma R[b], M[scratch], S[half], R[b]
  vf.fma M[dg], M[dg], R[b], Z
  addi  u, u, T
  addi  dg, dg, T
  dbnz  features, gb_feature
  halt
