; Attention backwards for a sequence over several columns   (attention_long.s)

  attention_registers

; dS[turn][u][t] = P * (dP - D) with dP[u][t] = v[u] dout[t], D[t] = sum over all columns' u of P * dP.
.kernel dprobs_long dout=r1 v=r2 head=r7
  jal   link, attention_start
  li    r5, DPROBS
  jal   link, scores_of_turns
.reg x, r8
  derivatives_of_rows

; dst[f][u] = factor * sum over all columns' t of matrix[turn][t][u] * src[f][t], matrix [queries][keys].
.kernel attend_lower_long src=r1 dst=r2 factor=r3 matrix=r4 head=r7
  attend_begin
.reg turn, r12
lu_features:
  attend_features HEAD_AT_ONCE
  beats_of_features
  zero  sums
  li    turn, PARTS
lu_turn:
  pass_on sums, travelling
  li    rows, SP
lu_row:
  vf.fma R[sums], M[row], MS[weight], R[sums]
  attend_next_row lu_row
  addi  weight, weight, 0 - SP
  dbnz  turn, lu_turn
  attend_store lu_features
