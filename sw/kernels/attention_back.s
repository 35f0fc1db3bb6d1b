; Attention backwards: the derivatives of the scores, and both matrices in the lower layout   (heads.s)

  attention_registers

; dS[u][t] = P * (dP - D) with dP[u][t] = v[u] dout[t], D[t] = sum over u of P * dP, upper layout.
.kernel dprobs dout=r1 v=r2 head=r7
.reg d, r4                    ; R: D, behind a block
.reg dp, r5
  scores_begin
.reg p, r7
.reg score, r8                ; R: a row
  li    d, SP
  zero  d
  csrw  REP, lanes
  li    dp, DPROBS
  li    p, PROBS
ds_block:
  mov   x, dout
  mov   y, v
  block_of_scores T
  vf.fma M[dp], S[r0], S[r0], R[r0]
  csrw  REP, once
  li    score, 0
  shr   left, lanes, 1
  addi  dout, dout, LANES
  addi  v, v, LANES
  addi  dp, dp, DIAGONAL
ds_row:
  vf.fma R[d], M[p], R[score], R[d]
  add   score, score, beats
  addi  p, p, SP
  vf.fma R[d], M[p], R[score], R[d]
  add   score, score, beats
  addi  p, p, SP
  dbnz  left, ds_row
  csrw  REP, lanes
  addi  p, p, LANES
  addi  d, d, 1
  dbnz  beats, ds_block
; Two rows at a time: what one waits for is the other's time.
.reg minus_one, r1
.reg dp2, r2                  ; the second row
.reg score2, r9
  set   VL, SPW, beats
  csrw  REP, once
  li    d, SP
  li    minus_one, bf16(-1)
  vf.fma R[d], S[minus_one], R[d], Z
  li    dp, DPROBS
  li    p, PROBS
  li    score2, SPW
ds_block2:
  shr   left, lanes, 1
  csrw  VL, beats
ds_rows:
  vf.fma R[r0], M[dp], S[one], R[d]
  addi  dp2, dp, SP
  vf.fma R[score2], M[dp2], S[one], R[d]
  vf.fma M[dp], M[p], R[r0], Z
  addi  p, p, SP
  vf.fma M[dp2], M[p], R[score2], Z
  addi  p, p, SP
  addi  dp, dp2, SP
  dbnz  left, ds_rows
  addi  dp, dp, LANES
  addi  p, p, LANES
  addi  d, d, 1
  dbnz  beats, ds_block2
  halt

; P and dS from the upper layout to the lower, in place.
.kernel to_lower head=r7
.reg matrices, r1
.reg p, r2
.reg key, r3
.reg mask, r4
.reg left, r5                 ; keys of this block
.reg tokens, r8               ; from this block on
  jal   link, attention_start
  li    matrices, 2
  li    p, PROBS
  set   VL, 1, left
  csrw  STR, left
  csrw  STB, left
  csrw  STA, r0
  set   STD, SP, left
lo_matrix:
  li    tokens, SP
; A block of LANES keys. R[k] becomes their beat of the lower row first + k: a key's value goes to all lanes from its
; own on, and all but its own are the next keys'.
lo_block:
  csrw  REP, tokens
  vf.fma R[r0], S[one], MS[p], Z
  mov   key, p
  li    mask, TRIANGLE_LOWER
  li    left, LANES - 1
lo_key:
  addi  key, key, SP
  vf.sel R[r0], M[mask], MS[key], R[r0]
  addi  mask, mask, LANES
  dbnz  left, lo_key
  vf.fma M[p], S[r0], S[r0], R[r0]
  addi  p, p, DIAGONAL
  sub   tokens, tokens, lanes
  bne   tokens, r0, lo_block
  li    p, DPROBS
  dbnz  matrices, lo_matrix
  halt
