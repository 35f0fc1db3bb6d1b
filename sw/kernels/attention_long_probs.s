; Weights of attention of one head and one sequence that lies over PARTS columns   (docs/explanation/kernels.md, Long
; sequences)

  attention_registers

; P[turn][u][t] = softmax over all columns' u of scale * q[t] k[u], 0 for queries before the key.
.kernel probs_long q=r1 k=r2 head=r7
  scores_begin
  first_visitors q
  first_turn
lp_turn:
  next_visitors
  begin_turn lp_block
lp_block:
  li    x, VISITORS
  mov   y, k
  block_of_scores SP
  csrw  STA, stride
  li    x, bf16(-1e30)
  vf.sel M[p], M[mask], S[x], R[r0]
  beq   stride, r0, lp_same
  addi  mask, mask, 0 - LANES
lp_same:
  addi  k, k, LANES
  addi  p, p, LANES * SP
  dbnz  blocks, lp_block
  end_turn lp_turn
  softmax_of_turns
  halt
