; Attention backwards for a sequence over several columns   (attention_long.s)

  attention_registers

; dS[turn][u][t] = P * (dP - D) with dP[u][t] = v[u] dout[t], D[t] = sum over all columns' u of P * dP.
.kernel dprobs_long dout=r1 v=r2 head=r7
  jal   link, attention_start
  li    r5, DPROBS
  jal   link, scores_of_turns
.reg minus_one, r1
.reg p, r3
.reg dp, r4
.reg all, r5
.reg x, r8
  csrw  VL, beats
  set   STA, SP, x
  csrw  STB, x
  csrw  STR, r0
  zero  r0                    ; D
  li    p, PROBS
  li    dp, DPROBS
  set   REP, PARTS * SP, all
  vf.fma R[r0], M[p], M[dp], R[r0]
  set   REP, 1, x
  li    minus_one, bf16(-1)
  vf.fma R[r0], S[minus_one], R[r0], Z
  csrw  REP, all
  vf.fma M[dp], M[dp], S[one], R[r0]
  vf.fma M[dp], M[p], M[dp], Z
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
