; Dropout: masks of pseudorandom numbers that follow from a token, an operation and a feature, after dropout_mix.s.
; (docs/explanation/dropout.md)

; y = x, of which features are dropped, and to = share * M[sum] + (hi + lo) * y; after dropout_mix. x, y, sum and `to`
; may be one array, and share is 1, or 0 for no sum. below, hi: exclusive or with 1, their values without dropout.
; table: four numbers of each of this row's features, whose number is M[count].
.kernel dropout x=r1 y=r2 sum=r3 to=r4 below=r5 factor=r6 hi=r7 lo=r8 table=r9 count=r10 share=r11
.reg features, r10            ; in the place of count
.reg many, r12                ; features at once, and their beats
.reg beats, r13
.reg one, r14                 ; or another number
.reg at, r15
  ld    at, r0, DROP_FLAG
  and   below, below, at
  and   hi, hi, at
  and   lo, lo, at
  li    one, bf16(1)
  xor   below, below, one
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
  vf.fma R[r0], M[sum], S[share], R[r0]
  vf.fma M[to], M[y], S[hi], R[r0]
  shl   at, beats, LANE_BITS
  add   x, x, at
  add   y, y, at
  add   sum, sum, at
  add   to, to, at
  shl   at, many, 2
  addi  at, at, -3
  add   table, table, at
  sub   features, features, many
  jmp   dropout_next
dropout_done:
  halt
