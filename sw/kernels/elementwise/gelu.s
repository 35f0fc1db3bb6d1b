; GELU in the tanh form of GPT-2, of this row's features: M[CNT_FILTER].

.reg features, r3
.reg c1, r5
.reg c2, r6
.reg half, r7
.reg a, r8                    ; R: two vectors
.reg b, r9
.reg many, r10
.reg link, r14

.macro gelu_next by
  addi  x, x, \by
  addi  y, y, \by
.endm

.macro gelu_body
  vf.fma R[a], M[x], A, Z
  vf.fma R[a], S[c2], R[a], S[c1]
  vf.tanh R[a], M[x], R[a], Z
  vf.fma R[b], M[x], R[a], A
  vf.fma M[y], S[half], R[b], Z
.endm

; y = x/2 * (1 + tanh(c1*x + c2*x^3)), c1 = sqrt(2/pi), c2 = 0.044715 * c1.
.kernel gelu x=r1 y=r2
  jal   link, gelu_start
  for_features gelu_body, gelu_next

.routine gelu_start
  set   REP, 1, r8
  ld    features, r0, CNT_FILTER
  li    many, AT_ONCE
  li    c1, bf16(0.7978845608)
  li    c2, bf16(0.0356774081)
  li    half, bf16(0.5)
  li    a, 0
  li    b, AT_ONCE * VLT
  ret   link

.macro gelu_back_next by
  addi  x, x, \by
  addi  dy, dy, \by
.endm

.macro gelu_back_body
  vf.fma R[a], M[x], A, Z             ; x^2
  vf.fma R[b], S[c2], R[a], S[c1]
  vf.tanh M[scratch], M[x], R[b], Z   ; t
  vf.fma R[a], S[minus_c2], R[a], S[minus_c1]
  vf.fma M[second], M[x], R[a], Z     ; -x/2 * (c1 + 3*c2*x^2)
  vf.fma R[b], M[scratch], A, S[minus_one]
  vf.fma R[b], M[second], R[b], S[half]
  vf.fma R[b], M[scratch], S[half], R[b]
  vf.fma M[dy], M[dy], R[b], Z
.endm

; dx = dy * (1/2 + tanh/2 + x/2 * (1 - tanh^2) * (c1 + 3*c2*x^2)), in dy's place.
.kernel gelu_back x=r1 dy=r2 scratch=r4
.reg minus_c1, r11            ; -c1/2
.reg minus_c2, r12            ; -3*c2/2
.reg minus_one, r13
.reg second, r14
  jal   link, gelu_start
  li    minus_c1, bf16(-0.3989422804)
  li    minus_c2, bf16(-0.0535161122)
  li    minus_one, bf16(-1)
  addi  second, scratch, AT_ONCE * T
  for_features gelu_back_body, gelu_back_next
