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
  mov   r5, documents
  scores_of_turns
  li    x, KEYS
  vf.fma M[x], M[r5], S[one], Z
  li    x, VISITING
  vf.fma M[x], M[r5], S[one], Z
  first_turn
.reg number, r8               ; number of a key's document,
.reg key, r9                  ; and its address
.reg visiting, r14
nd_batch:
  jal   link, batch_of_scores
nd_block:
  bne   blocks, r0, nd_same
  li    x, VISITING
  li    left, SPW
  visit_all NUMBERS_TRAVEL, NUMBERS_AT_ONCE
  set   VL, SPW, x
  begin_turn
nd_same:
  mask_of_block
  vf.sel R[score], M[mask], S[x], R[score]
  set   REP, 1, x
  shl   left, blocks, LANE_BITS
  li    key, KEYS + SP
  sub   key, key, left
  li    left, LANES
  li    visiting, VISITING
nd_row:
  ld    number, key, 0
  csrw  IDX, number
  li    x, bf16(-1e30)
  vf.sel M[p], OH[visiting], R[score], S[x]
  addi  key, key, 1
  addi  score, score, SPW
  addi  p, p, SP
  dbnz  left, nd_row
  set   REP, LANES, x
  end_block
  bne   score, limit, nd_block
  bne   rest, r0, nd_batch
  softmax_of_turns
  halt
