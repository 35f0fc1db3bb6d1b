; Dropout of attention's weights for a sequence over several columns, and derivatives before and after it
; (attention_dropout.s, attention_long_scores.s)

  attention_registers

.macro next_rows
  addi  matrix, matrix, LANES * SP
  addi  mixed, mixed, -3 * T
.endm

; Drops elements of a matrix, and multiplies the others by hi + lo   (drop_blocks)
.kernel drop_weights_long matrix=r1 below=r2 factor=r3 hi=r4 lo=r5 mixed=r8 head=r7
  jal   link, attention_start
  drop_blocks next_rows

; dP[turn][u][t] = v[u] dout[t], at DPROBS.
.kernel weight_derivatives_long dout=r1 v=r2 head=r7
  jal   link, attention_start
  li    r5, DPROBS
  jal   link, scores_of_turns
  halt

; Turns derivatives of weights, at DPROBS, into those of scores: dS = P * (dP - D) with D = the sum of P * dP over all
; keys.
.kernel score_derivatives_long head=r7
  jal   link, attention_start
.reg x, r8
  set   STD, SP, x
  set   REP, 1, x
  derivatives_of_rows
