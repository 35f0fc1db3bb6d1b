; Weights of attention over several columns, of a sample of several documents   (docs/explanation/kernels.md, Long
; sequences)
;
; Queries carry their documents' numbers along. These lie before VISITORS, preceded by the numbers of the column's own tokens.

  attention_registers

.equ VISITING, VISITORS - SP
.equ KEYS, VISITORS - 2 * SP

; P[turn][u][t] = softmax over all columns' u of scale * q[t] k[u], 0 for queries before the key and of other documents.
; documents: the document of each token.
.kernel probs_long_documents q=r1 k=r2 documents=r4 head=r7
  scores_begin
  first_visitors q
  li    x, KEYS
  vf.fma M[x], M[documents], S[one], Z
  li    x, VISITING
  vf.fma M[x], M[documents], S[one], Z
  first_turn
.reg number, r8               ; number of a key's document,
.reg key, r9                  ; and its address
.reg score, r14               ; R: a row
.reg visiting, r15
nd_turn:
  li    x, VISITING
  li    y, 1
  visit x, y
  next_visitors
  begin_turn nd_block
nd_block:
  li    x, VISITORS
  mov   y, k
  block_of_scores SP
  csrw  STA, stride
  li    x, bf16(-1e30)
  vf.sel R[r0], M[mask], S[x], R[r0]
  csrw  REP, once
  shl   left, blocks, LANE_BITS
  li    key, KEYS + SP
  sub   key, key, left
  li    left, LANES
  li    score, 0
  li    visiting, VISITING
nd_row:
  ld    number, key, 0
  csrw  IDX, number
  li    x, bf16(-1e30)
  vf.sel M[p], OH[visiting], R[score], S[x]
  addi  key, key, 1
  add   score, score, beats
  addi  p, p, SP
  dbnz  left, nd_row
  li    x, LANES
  csrw  REP, x
  li    once, 1
  li    one, bf16(1)
  beq   stride, r0, nd_same
  addi  mask, mask, 0 - LANES
nd_same:
  addi  k, k, LANES
  dbnz  blocks, nd_block
  end_turn nd_turn
  softmax_of_turns
  halt
