; Dropout: masks of pseudorandom numbers that follow from a token, an operation and a feature.
; (docs/explanation/dropout.md)
;
; A sum near 192 minus its nearest bf16 is what the sum lacks to the nearest integer.

; The token's numbers for an operation with the numbers c0 to c3: DROP_MIXED[n] = rest of DROP_NUMBERS times c, rotated
; by n.
.kernel dropout_mix c0=r1 c1=r2 c2=r3 c3=r4
.reg mixed, r5
.reg number, r6
.reg middle, r7
.reg minus_one, r8
.reg left, r9
.reg first, r10
  set   VL, VLT, left
  set   REP, 1, left
  li    mixed, DROP_MIXED
  li    middle, bf16(192)
  li    minus_one, bf16(-1)
  li    left, 4
dropout_mix_next:
  li    number, DROP_NUMBERS
  vf.fma R[r0], M[number], S[c0], S[middle]
  addi  number, number, T
  vf.fma R[r0], M[number], S[c1], R[r0]
  addi  number, number, T
  vf.fma R[r0], M[number], S[c2], R[r0]
  addi  number, number, T
  vf.fma R[r0], M[number], S[c3], R[r0]
  vf.fma M[mixed], S[minus_one], R[r0], R[r0]
  addi  mixed, mixed, T
  mov   first, c0
  mov   c0, c1
  mov   c1, c2
  mov   c2, c3
  mov   c3, first
  dbnz  left, dropout_mix_next
  halt

; y = x, of which features are dropped and others multiplied by hi + lo; after dropout_mix. With an address `sum` other
; than 0, y is changed and to = M[sum] + y. y may be x, and `to` may be `sum`. below, hi: exclusive or with 2 and with 1,
; their values without dropout. table: four numbers of each of this row's features, whose number is M[count].
.kernel dropout x=r1 y=r2 sum=r3 to=r4 below=r5 factor=r6 hi=r7 lo=r8 table=r9 count=r10
.reg features, r11
.reg many, r12                ; features at once, and their beats
.reg beats, r13
.reg one, r14                 ; or another number
.reg at, r15
  ld    at, r0, DROP_FLAG
  and   below, below, at
  and   hi, hi, at
  and   lo, lo, at
  li    one, bf16(2)
  xor   below, below, one
  li    one, bf16(1)
  xor   hi, hi, one
  ld    features, count, 0
  set   STR, VLT, at
  set   STB, 4, at
  csrw  STA, r0
  li    many, DROP_AT_ONCE
  li    beats, DROP_AT_ONCE * VLT
dropout_next:
  bge   features, many, dropout_some
  li    many, 1
  li    beats, VLT
  beq   features, r0, dropout_done
dropout_some:
  csrw  REP, many
  set   VL, VLT, at
  li    at, DROP_MIXED
  li    one, bf16(192)
  vf.fma R[r0], M[at], MS[table], S[one]
  li    one, 3
dropout_sum:
  addi  at, at, T
  addi  table, table, 1
  vf.fma R[r0], M[at], MS[table], R[r0]
  dbnz  one, dropout_sum
  set   REP, 1, at
  csrw  VL, beats
  li    one, bf16(-1)
  vf.fma R[r0], S[one], R[r0], R[r0]
  vf.ge R[r0], S[below], S[factor], R[r0]
  vf.fma M[y], M[x], R[r0], Z
  vf.fma R[r0], M[y], S[lo], Z
  shl   at, beats, LANE_BITS
  beq   sum, r0, dropout_alone
  li    one, bf16(1)
  vf.fma R[r0], M[y], S[hi], R[r0]
  vf.fma M[to], M[sum], S[one], R[r0]
  add   sum, sum, at
  add   to, to, at
  jmp   dropout_advance
dropout_alone:
  vf.fma M[y], M[y], S[hi], R[r0]
dropout_advance:
  add   x, x, at
  add   y, y, at
  shl   at, many, 2
  addi  at, at, -3
  add   table, table, at
  sub   features, features, many
  jmp   dropout_next
dropout_done:
  halt
