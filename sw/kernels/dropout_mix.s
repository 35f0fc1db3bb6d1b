; Numbers of tokens for an operation that drops features, or weights of attention   (docs/explanation/dropout.md)
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
