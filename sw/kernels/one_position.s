; Attention of one position of LANES texts, whose keys and values are kept   (docs/explanation/generation.md)
;
; A lane is a text: T = LANES. k and v are [position][slot][LANES], KEPT elements from a position to the next; weights
; are [position][LANES], at PROBS.

  attention_registers

; P[u] = softmax over the positions u < count of scale * q k[u], in each lane.
.kernel probs_one q=r1 k=r2 count=r4 head=r7
  scores_begin                ; VL = 1, STD = LANES
.reg p, r5
.reg now, r7                  ; positions of a block
.reg rest, r13                ; behind it
  li    x, bf16(-1e30)
  li    y, MAXIMUM
  vf.fma R[y], S[one], S[x], Z
  set   STB, KEPT, x
  li    p, PROBS
  mov   rest, count
po_block:
  li    now, POSITIONS_AT_ONCE
  bge   rest, now, po_full
  mov   now, rest
po_full:
  sub   rest, rest, now
  csrw  REP, now
  csrw  STR, once
  csrw  STA, r0
  mov   x, q
  mov   y, k
  addi  left, features, -1
  vf.fma R[r0], M[x], M[y], Z
  beq   left, r0, po_all
po_feature:
  addi  x, x, T
  addi  y, y, T
  vf.fma R[r0], M[x], M[y], R[r0]
  dbnz  left, po_feature
po_all:
  beq   group_first, group_last, po_here
.reg acc, r8                  ; as reduce.s has them
.reg entries, r9
  li    acc, 0
  mov   entries, now
  jal   link, group_sum
  li    once, 1
po_here:
  vf.fma M[p], S[r0], S[r0], R[r0]
; The scores' maximum: the upper half is folded onto the lower one. Rounding here or later gives the same result.
.reg upper, r8                ; R
.reg folded, r9
  csrw  REP, once
po_fold:
  addi  upper, now, 1
  shr   upper, upper, 1
  sub   folded, now, upper
  mov   now, upper
  beq   folded, r0, po_folded
  csrw  VL, folded
  vf.max R[r0], S[one], R[upper], R[r0]
  jmp   po_fold
po_folded:
  csrw  VL, once
  csrw  STR, r0
  csrw  STA, lanes
  li    y, MAXIMUM
  vf.max R[y], S[one], R[r0], R[y]
  addi  k, k, POSITIONS_AT_ONCE * KEPT
  addi  p, p, POSITIONS_AT_ONCE * LANES
  bne   rest, r0, po_block
; The maximum times -scale, then weights, their sum and its reciprocal.
.reg factor, r1
.reg sum, r2                  ; R
.reg maximum, r9              ; R
  csrw  REP, once
  li    factor, MINUS_SCALE
  vf.fma R[maximum], S[factor], R[maximum], Z
  li    sum, SUM
  zero  sum
  csrw  REP, count
  li    factor, SCALE
  li    p, PROBS
  vf.exp M[p], M[p], S[factor], R[maximum]
  vf.fma R[sum], M[p], S[one], R[sum]
  csrw  REP, once
  vf.recip R[sum], S[one], R[sum], Z
  csrw  REP, count
  vf.fma M[p], M[p], R[sum], Z
  halt

; dst[f] = sum over the positions u < count of P[u] * v[u][f], in each lane.
.kernel attend_one v=r1 dst=r2 count=r3 head=r7
  jal   link, attention_start
.reg now, r4                  ; features that have accumulators in R
.reg p, r5
.reg value, r8
.reg left, r9                 ; positions
  csrw  STA, r0
  set   STB, T, p
ao_features:
  li    now, HEAD_AT_ONCE
  bge   features, now, ao_fits
  mov   now, features
ao_fits:
  sub   features, features, now
  csrw  VL, beats
  csrw  REP, now
  csrw  STR, beats            ; 1
  li    p, PROBS
  mov   value, v
  addi  left, count, -1
  vf.fma R[r0], M[p], M[value], Z
  beq   left, r0, ao_all
ao_position:
  addi  p, p, LANES
  addi  value, value, KEPT
  vf.fma R[r0], M[p], M[value], R[r0]
  dbnz  left, ao_position
ao_all:
  csrw  VL, now               ; a feature is a beat
  csrw  REP, beats
  vf.fma M[dst], S[one], R[r0], Z
  addi  v, v, HEAD_AT_ONCE * T
  addi  dst, dst, HEAD_AT_ONCE * T
  bne   features, r0, ao_features
  halt

; rotary for one position: cosines, sines and negated sines are numbers, [pairs][TURNS], at this position.
.kernel rotary_one x=r1 cos=r2 sin=r3 minus=r4 count=r5 head=r7
  jal   link, attention_start
.reg a, r8                    ; R
.reg b, r9
.reg y, r10                   ; the second feature of a pair
.reg left, r11
  ld    left, count, 0
  beq   left, r0, ro_done
  csrw  VL, beats
  csrw  REP, beats
  li    a, 0
  li    b, 1
ro_pair:
  addi  y, x, T
  vf.fma R[a], M[x], MS[cos], Z
  vf.fma R[b], M[y], MS[cos], Z
  vf.fma R[a], M[y], MS[minus], R[a]
  vf.fma R[b], M[x], MS[sin], R[b]
  vf.fma M[x], S[one], R[a], Z
  vf.fma M[y], S[one], R[b], Z
  addi  x, y, T
  addi  cos, cos, TURNS
  addi  sin, sin, TURNS
  addi  minus, minus, TURNS
  dbnz  left, ro_pair
ro_done:
  halt
