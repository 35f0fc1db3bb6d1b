; Dropout: masks of pseudorandom numbers that follow from a token, an operation and a feature.
; (docs/explanation/dropout.md)
;
; The rest of a sum is its distance from the nearest integer: for a sum near 192, the sum minus its nearest bf16.

; The token's numbers for an operation with the numbers c0 to c3: DROP_MIXED[n] = rest of c times DROP_NUMBERS[n] to
; DROP_NUMBERS[n + 3], for n = 0 to 3. DROP_MIXED follows the seven DROP_NUMBERS.
.kernel dropout_mix c0=r1 c1=r2 c2=r3 c3=r4
.reg number, r5
.reg mixed, r6
.reg middle, r7
.reg minus_one, r8
.reg left, r9
  set   VL, VLT, left
  set   REP, 1, left
  li    number, DROP_NUMBERS
  li    middle, bf16(192)
  li    minus_one, bf16(-1)
  li    left, 4
dropout_mix_next:
  vf.fma R[r0], M[number], S[c0], S[middle]
  addi  number, number, T
  vf.fma R[r0], M[number], S[c1], R[r0]
  addi  number, number, T
  vf.fma R[r0], M[number], S[c2], R[r0]
  addi  number, number, T
  vf.fma R[r0], M[number], S[c3], R[r0]
  addi  mixed, number, 4 * T
  vf.fma M[mixed], S[minus_one], R[r0], R[r0]
  addi  number, number, -2 * T
  dbnz  left, dropout_mix_next
  halt

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
