; Dropout of attention's weights for a sequence in one column, and derivatives before and after it   (attention_dropout.s)
;
; narrower: 1 if a block of LANES keys has a beat less than the one before (the upper layout of causal attention), else 0.

  attention_registers

.macro next_block
  shl   at, narrower, LANE_BITS
  addi  matrix, matrix, LANES * SP
  add   matrix, matrix, at
  addi  mixed, mixed, -3 * T
  add   mixed, mixed, at
  sub   beats, beats, narrower
.endm

; Drops elements of a matrix, and multiplies the others by hi + lo   (drop_blocks)
.kernel drop_weights matrix=r1 below=r2 factor=r3 hi=r4 lo=r5 mixed=r8 narrower=r10 head=r7
  jal   link, attention_start
  drop_blocks next_block

; dP[u][t] = v[u] dout[t], at DPROBS.
.kernel weight_derivatives dout=r1 v=r2 narrower=r5 head=r7
.reg dp, r4
  scores_begin
.reg blocks, r7               ; in the place of head
  csrw  REP, lanes
  li    dp, DPROBS
  li    blocks, SPW
wd_block:
  mov   x, dout
  mov   y, v
  block_of_scores T
  vf.fma M[dp], S[r0], S[r0], R[r0]
  shl   x, narrower, LANE_BITS
  add   dout, dout, x
  addi  v, v, LANES
  addi  dp, dp, LANES * SP
  add   dp, dp, x
  sub   beats, beats, narrower
  dbnz  blocks, wd_block
  halt

; Turns derivatives of weights, at DPROBS, into those of scores: dS = P * (dP - D) with D = the sum of P * dP over all
; keys.
.kernel score_derivatives narrower=r1 head=r7
  jal   link, attention_start
.reg blocks, r2
.reg d, r3                    ; R
.reg dp, r4
.reg p, r5
.reg step, r6                 ; in the place of features
.reg again, r7                ; in the place of head: 0 while D is summed, then 1
.reg all, r8
  shl   step, narrower, LANE_BITS
  csrw  VL, beats
  set   REP, 1, all
  csrw  STR, r0
  zero  r0
  set   STA, SP, all
  csrw  STB, all
  csrw  STD, all
  li    again, 0
sd_matrix:
  csrw  REP, lanes
  li    p, PROBS
  li    dp, DPROBS
  li    d, 0
  li    blocks, PARTS * SPW
sd_block:
  csrw  VL, beats
  bne   again, r0, sd_difference
  vf.fma R[d], M[p], M[dp], R[d]
  jmp   sd_next
sd_difference:
  vf.fma M[dp], M[dp], S[one], R[d]
  vf.fma M[dp], M[p], M[dp], Z
sd_next:
  addi  p, p, LANES * SP
  add   p, p, step
  addi  dp, dp, LANES * SP
  add   dp, dp, step
  add   d, d, narrower
  sub   beats, beats, narrower
  dbnz  blocks, sd_block
  bne   again, r0, sd_done
  set   VL, SPW, beats
  set   REP, 1, again
  li    all, bf16(-1)
  vf.fma R[r0], S[all], R[r0], Z
  jmp   sd_matrix
sd_done:
  halt
