; GELU in the tanh form of GPT-2. GELU_AT_ONCE features at a time, which are neighbours, then one by one; this row's
; features: M[CNT_FILTER].

.reg features, r3
.reg c1, r5
.reg c2, r6
.reg half, r7
.reg a, r8                    ; R: two vectors
.reg b, r9
.reg many, r10
.reg link, r14

; Applies `body` to all features: GELU_AT_ONCE at a time, then one by one. Advances x and y.
.macro for_features body x y
  blt   features, many, one\@
  set   VL, GELU_AT_ONCE * VLT, r15
many\@:
  \body
  addi  \x, \x, GELU_AT_ONCE * T
  addi  \y, \y, GELU_AT_ONCE * T
  sub   features, features, many
  bge   features, many, many\@
one\@:
  beq   features, r0, done\@
  set   VL, VLT, r15
next\@:
  \body
  addi  \x, \x, T
  addi  \y, \y, T
  dbnz  features, next\@
done\@:
  halt
.endm

.macro gelu_body
  vf.fma R[a], M[u], A, Z
  vf.fma R[a], S[c2], R[a], S[c1]
  vf.tanh R[a], M[u], R[a], Z
  vf.fma R[b], M[u], R[a], A
  vf.fma M[g], S[half], R[b], Z
.endm

; g = u/2 * (1 + tanh(c1*u + c2*u^3)), c1 = sqrt(2/pi), c2 = 0.044715 * c1.
.kernel gelu u=r1 g=r2
  jal   link, gelu_start
  for_features gelu_body, u, g

.routine gelu_start
  set   REP, 1, r8
  ld    features, r0, CNT_FILTER
  li    many, GELU_AT_ONCE
  li    c1, bf16(0.7978845608)
  li    c2, bf16(0.0356774081)
  li    half, bf16(0.5)
  li    a, 0
  li    b, GELU_AT_ONCE * VLT
  ret   link

.macro gelu_back_body
  vf.fma R[a], M[u], A, Z             ; u^2
  vf.fma R[b], S[c2], R[a], S[c1]
  vf.tanh M[scratch], M[u], R[b], Z   ; t
  vf.fma R[a], S[minus_c2], R[a], S[minus_c1]
  vf.fma M[second], M[u], R[a], Z     ; -u/2 * (c1 + 3*c2*u^2)
  vf.fma R[b], M[scratch], A, S[minus_one]
  vf.fma R[b], M[second], R[b], S[half]
  vf.fma R[b], M[scratch], S[half], R[b]
  vf.fma M[dg], M[dg], R[b], Z
.endm

; du = dg * (1/2 + tanh/2 + u/2 * (1 - tanh^2) * (c1 + 3*c2*u^2)), in dg's place. scratch: 2 * GELU_AT_ONCE vectors of
; memory.
.kernel gelu_back u=r1 dg=r2 scratch=r4
.reg minus_c1, r11            ; -c1/2
.reg minus_c2, r12            ; -3*c2/2
.reg minus_one, r13
.reg second, r14
  jal   link, gelu_start
  li    minus_c1, bf16(-0.3989422804)
  li    minus_c2, bf16(-0.0535161122)
  li    minus_one, bf16(-1)
  addi  second, scratch, GELU_AT_ONCE * T
  for_features gelu_back_body, u, dg
