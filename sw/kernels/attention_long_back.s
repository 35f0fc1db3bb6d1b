; Attention backwards for a sequence over several columns   (attention_long.s)

  attention_registers

; dS[turn][u][t] = P * (dP - D) with dP[u][t] = v[u] dout[t], D[t] = sum over all columns' u of P * dP.
.kernel dprobs_long dout=r1 v=r2 head=r7
  scores_of_turns
.reg dp, r5
.reg p, r7
  li    y, STATE              ; D
  zero  y
  li    dp, DPROBS
  li    p, PROBS
ld_batch:
  jal   link, batch_of_scores
ld_block:
  li    x, STATE
  bne   blocks, r0, ld_same
  li    y, SPW
  pass_on x, y
  li    blocks, SPW
ld_same:
  vf.fma M[dp], S[r0], S[r0], R[score]
  set   REP, 1, y
  li    left, LANES
ld_row:
  vf.fma R[x], M[p], R[score], R[x]
  addi  score, score, SPW
  addi  p, p, SP
  dbnz  left, ld_row
  set   REP, LANES, y
  addi  dp, dp, LANES * SP
  addi  blocks, blocks, -1
  bne   score, limit, ld_block
  bne   rest, r0, ld_batch
.reg turn, r1
.reg d, r4                    ; R: D
.reg count, r8
; Two rows at a time, so that each hides the latency of the other.
.reg dp2, r2                  ; the second row
.reg score2, r9
  set   REP, 1, x
  li    x, bf16(-1)
  li    d, STATE
  vf.fma R[d], S[x], R[d], Z
  li    count, SPW
  li    dp, DPROBS
  li    p, PROBS
  li    score2, SPW
  li    turn, PARTS
ld_turn2:
  pass_on d, count
  li    left, SP
  shr   left, left, 1
ld_rows:
  vf.fma R[r0], M[dp], S[one], R[d]
  addi  dp2, dp, SP
  vf.fma R[score2], M[dp2], S[one], R[d]
  vf.fma M[dp], M[p], R[r0], Z
  addi  p, p, SP
  vf.fma M[dp2], M[p], R[score2], Z
  addi  p, p, SP
  addi  dp, dp2, SP
  dbnz  left, ld_rows
  dbnz  turn, ld_turn2
  halt

; P and dS of each turn, [keys][queries], become [queries][keys], in place.
.kernel to_lower_long head=r7
.reg tile, r1                 ; LANES x LANES, at or above the diagonal
.reg other, r2                ; its mirror image
.reg left, r3                 ; tiles to the right of the diagonal's
.reg mask, r4
.reg rows, r5
.reg blocks, r6
.reg diagonal, r7
.reg mirrored, r8             ; R
.reg matrices, r9
.reg key, r10
.reg down, r11                ; tiles of the diagonal
  jal   link, attention_start
  li    matrices, 2
  li    diagonal, PROBS
  set   VL, 1, left
  csrw  STR, left
  csrw  STB, left
  csrw  STA, r0
  csrw  REP, lanes
  set   STD, SP, left
ll_matrix:
  li    blocks, PARTS
ll_block:
  li    down, SPW
ll_diagonal:
  mov   left, down
  mov   tile, diagonal
  mov   other, diagonal
ll_tile:
  li    mirrored, 0
  mov   key, tile
  jal   link, mirror
  li    mirrored, LANES
  mov   key, other
  jal   link, mirror
  vf.fma M[other], S[r0], S[r0], R[r0]
  vf.fma M[tile], S[r0], S[r0], R[mirrored]
  addi  tile, tile, LANES
  addi  other, other, LANES * SP
  dbnz  left, ll_tile
  addi  diagonal, diagonal, DIAGONAL
  dbnz  down, ll_diagonal
  addi  diagonal, diagonal, 0 - SP          ; from behind the last one to the next block
  dbnz  blocks, ll_block
  li    diagonal, DPROBS
  dbnz  matrices, ll_matrix
  halt

; R[mirrored + k] becomes column k of the tile at `key`: a key's value is copied to all lanes from its own on; the next keys
; overwrite all of these but its own.
mirror:
  vf.fma R[mirrored], S[one], MS[key], Z
  li    mask, TRIANGLE_LOWER
  li    rows, LANES - 1
mirror_key:
  addi  key, key, SP
  vf.sel R[mirrored], M[mask], MS[key], R[mirrored]
  addi  mask, mask, LANES
  dbnz  rows, mirror_key
  ret   link

; dst[f][u] = factor * sum over all columns' t of matrix[turn][t][u] * src[f][t], matrix [queries][keys].
.kernel attend_lower_long src=r1 dst=r2 factor=r3 matrix=r4 head=r7
  attend_begin
.reg turn, r12
  set   STB, SP, row
  csrw  STD, row
lu_features:
  attend_features VISITORS_AT_ONCE
  beats_of_features
  set   STA, T, end
  li    end, VISITORS
  vf.fma M[end], M[weight], S[one], Z
  zero  sums
  csrw  STA, r0
  li    turn, PARTS
lu_turn:
  li    weight, VISITORS
  visit weight, travelling, TRAVEL
  set   VL, SPW, end
  csrw  REP, now
  li    rows, SP
lu_row:
  vf.fma R[sums], M[row], MS[weight], R[sums]
  attend_next_row lu_row
  dbnz  turn, lu_turn
  attend_store lu_features
