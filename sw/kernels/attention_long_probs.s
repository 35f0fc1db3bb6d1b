; Weights of attention of one head and one sequence that lies over PARTS columns   (docs/explanation/kernels.md, Long
; sequences)

  attention_registers

; P[turn][u][t] = softmax over all columns' u of scale * q[t] k[u], 0 for queries before the key.
.kernel probs_long q=r1 k=r2 head=r7
  scores_of_turns
  first_turn
lp_batch:
  jal   link, batch_of_scores
lp_block:
  bne   blocks, r0, lp_same
  begin_turn
lp_same:
  mask_of_block
  vf.sel M[p], M[mask], S[x], R[score]
  addi  p, p, LANES * SP
  addi  score, score, LANES * SPW
  end_block
  bne   score, limit, lp_block
  bne   rest, r0, lp_batch
  softmax_of_turns
  halt
