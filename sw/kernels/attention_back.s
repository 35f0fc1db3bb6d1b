; Attention backwards: the derivatives of the scores, and all of it once more in the lower layout   (attention.s)

  attention_registers

; To the next row of P and dP, in a block of LANES.
.macro next_row again
  addi  dp, dp, SP
  addi  p, p, SP
  dbnz  left, \again
.endm

; To the next block of the upper layout, one beat shorter.
.macro next_upper_block again
  addi  dp, dp, LANES
  addi  p, p, LANES
  addi  d, d, 1
  dbnz  beats, \again
.endm

; To the next block of the lower layout, one beat longer.
.macro next_lower_block again
  addi  beats, beats, 1
  li    r13, SPW + 1
  bne   beats, r13, \again
  halt
.endm

; dS[u][t] = P * (dP - D) with dP[u][t] = v[u] dout[t], D[t] = sum over u of P * dP, upper layout; -D goes to STATS.
.kernel dprobs dout=r1 v=r2 head=r7
.reg left, r3
.reg d, r4                    ; R: D
.reg dp, r5
.reg once, r12
  jal   link, attention_start
.reg p, r7
  li    dp, DPROBS
  li    p, PROBS
  set   REP, 1, once
  csrw  VL, beats
  li    d, SPW
  zero  d
ds_block:
  li    left, LANES
ds_row:
  jal   link, score_row
  vf.fma R[d], M[p], R[scores], R[d]
  vf.fma M[dp], S[one], R[scores], Z
  addi  v, v, 1
  next_row ds_row
  addi  dout, dout, LANES
  next_upper_block ds_block
.reg stats, r2
.reg minus_one, r3
  set   VL, SPW, beats
  li    d, SPW
  li    stats, STATS + 2 * SP
  li    minus_one, bf16(-1)
  vf.fma M[stats], S[minus_one], R[d], Z
  vf.fma R[d], M[stats], S[one], Z
  li    dp, DPROBS
  li    p, PROBS
ds_block2:
  li    left, LANES
  csrw  VL, beats
ds_row2:
  vf.fma R[scores], M[dp], S[one], R[d]
  vf.fma M[dp], M[p], R[scores], Z
  next_row ds_row2
  next_upper_block ds_block2
  halt

; P[t][u], lower layout, from the statistics in STATS.
.kernel probs_lower k=r1 q=r2 head=r7
.reg left, r3
.reg maximum, r4              ; of a query
.reg p, r5
.reg once, r12
  jal   link, attention_start
.reg mask, r7
.reg last, r13                ; R: the beat of the diagonal
.reg shift, r13               ; R
.reg factor, r14
.reg inverse, r14             ; of the query's sum
  li    p, PROBS
  li    maximum, STATS
  li    beats, 1
pl_block:
  li    left, LANES
  li    mask, TRIANGLE_LOWER
pl_row:
  jal   link, score_row
  csrw  VL, once
  addi  last, beats, -1
  vf.fma R[last], M[mask], S[one], R[last]
  csrw  VL, beats
  li    shift, 2 * SPW
  li    factor, MINUS_SCALE
  vf.fma R[shift], S[factor], MS[maximum], Z
  li    factor, SCALE
  vf.exp R[scores], S[factor], R[scores], R[shift]
  addi  inverse, maximum, SP
  vf.fma M[p], S[one], R[scores], Z
  vf.fma M[p], M[p], MS[inverse], Z
  addi  q, q, 1
  addi  maximum, maximum, 1
  addi  p, p, SP
  addi  mask, mask, LANES
  dbnz  left, pl_row
  next_lower_block pl_block

; dS[t][u], lower layout, from P there and -D in STATS.
.kernel dprobs_lower v=r1 dout=r2 head=r7
.reg left, r3
.reg d, r4                    ; -D of a query
.reg dp, r5
  jal   link, attention_start
.reg p, r7
  li    dp, DPROBS
  li    p, PROBS
  li    d, STATS + 2 * SP
  li    beats, 1
dl_block:
  li    left, LANES
dl_row:
  jal   link, score_row
  vf.fma M[dp], S[one], R[scores], Z  ; rounded as in the upper layout
  vf.fma R[scores], M[dp], S[one], Z
  vf.fma R[scores], S[one], MS[d], R[scores]
  vf.fma M[dp], M[p], R[scores], Z
  addi  dout, dout, 1
  addi  d, d, 1
  next_row dl_row
  next_lower_block dl_block
