; Attention backwards: the derivatives of the scores, and both matrices in the lower layout   (heads.s)

  attention_registers

; dS[u][t] = P * (dP - D) with dP[u][t] = v[u] dout[t], D[t] = sum over u of P * dP, upper layout.
.kernel dprobs dout=r1 v=r2 head=r7
.reg d, r4                    ; R: D, behind a block
.reg dp, r5
  scores_begin
.reg p, r7
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
  csrw  STR, r0
  set   STA, SP, x
  csrw  STB, x
  vf.fma R[d], M[p], M[dp], R[d]
  csrw  STB, once
  addi  dout, dout, LANES
  addi  v, v, LANES
  addi  dp, dp, DIAGONAL
  addi  p, p, DIAGONAL
  addi  d, d, 1
  dbnz  beats, ds_block
.reg minus_one, r1
  set   VL, SPW, beats
  csrw  REP, once
  csrw  STB, x                ; SP
  li    d, SP
  li    minus_one, bf16(-1)
  vf.fma R[d], S[minus_one], R[d], Z
  csrw  REP, lanes
  li    dp, DPROBS
  li    p, PROBS
ds_difference:
  csrw  VL, beats
  vf.fma M[dp], M[dp], S[one], R[d]
  vf.fma M[dp], M[p], M[dp], Z
  addi  dp, dp, DIAGONAL
  addi  p, p, DIAGONAL
  addi  d, d, 1
  dbnz  beats, ds_difference
  halt

; A matrix from the upper layout to the lower. dst may be the matrix itself, if keys are in order. src: the first key of
; a block; step: distance between keys, SP or -SP; mask: not 0 in the lanes of the second key and of those after it;
; mask_step: distance from this mask to that of the third key.
.kernel to_lower src=r1 dst=r2 step=r3 mask=r4 mask_step=r5 head=r7
.reg key, r8
.reg behind, r9               ; masks
.reg left, r10                ; keys of this block
.reg tokens, r11              ; from this block on
  jal   link, attention_start
  set   VL, 1, left
  csrw  STR, left
  csrw  STB, left
  csrw  STA, r0
  set   STD, SP, left
  li    tokens, SP
; A block of LANES keys. R[k] becomes their beat of the lower row first + k: the first key's value is copied to all lanes,
; each further key's value to the lanes of its mask.
lo_block:
  csrw  REP, tokens
  vf.fma R[r0], S[one], MS[src], Z
  mov   key, src
  mov   behind, mask
  li    left, LANES - 1
  jmp   lo_next
lo_key:
  vf.sel R[r0], M[behind], MS[key], R[r0]
  add   behind, behind, mask_step
lo_next:
  add   key, key, step
  dbnz  left, lo_key
  vf.sel M[dst], M[behind], MS[key], R[r0]
  addi  src, src, DIAGONAL
  addi  dst, dst, DIAGONAL
  sub   tokens, tokens, lanes
  bne   tokens, r0, lo_block
  halt
