; The lower layout of a sequence over several columns, tile by tile: for turns that R cannot hold   (docs/explanation/kernels.md,
; Long sequences)

  attention_registers

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
