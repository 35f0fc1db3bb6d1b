; Sums of a head's features, weighted by rows of a matrix of scores   (heads.s)

  attention_registers

; dst[f][t] = factor * sum over u of matrix[u][t] * src[f][u], matrix upper.
.kernel attend src=r1 dst=r2 factor=r3 matrix=r4 head=r7
  attend_begin
at_features:
  attend_features HEAD_AT_ONCE
  mov   rows, lanes
  vf.fma R[sums], M[row], MS[weight], Z
  jmp   at_next
at_block:
  mov   rows, lanes
  csrw  VL, beats
at_row:
  vf.fma R[sums], M[row], MS[weight], R[sums]
at_next:
  attend_next_row at_row
  addi  row, row, LANES
  addi  sums, sums, 1
  dbnz  beats, at_block
  attend_store at_features

; dst[f][u] = factor * sum over t of matrix[t][u] * src[f][t], matrix lower.
.kernel attend_lower src=r1 dst=r2 factor=r3 matrix=r4 head=r7
  attend_begin
al_features:
  attend_features HEAD_AT_ONCE
  zero  sums
  li    end, SPW + 1
  li    beats, 1
al_block:
  mov   rows, lanes
  csrw  VL, beats
al_row:
  vf.fma R[sums], M[row], MS[weight], R[sums]
  attend_next_row al_row
  addi  beats, beats, 1
  bne   beats, end, al_block
  attend_store al_features
