; The lower layout of a sequence over several columns, by way of R, which holds a turn   (docs/explanation/kernels.md, Long
; sequences)

  attention_registers

; P and dS of each turn, [keys][queries], become [queries][keys], in place.
.kernel to_lower_long head=r7
.reg at, r1                   ; R: SP beats, of LANES keys and each query
.reg matrices, r2
.reg turn, r3                 ; its matrix
.reg key, r4
.reg mask, r5
.reg rows, r6
.reg last, r7                 ; last key of the block
.reg turns, r8
.reg blocks, r9
  jal   link, attention_start
  set   VL, 1, at
  csrw  STR, at
  csrw  STB, at
  csrw  STA, r0
  set   STD, SP, at
  csrw  REP, at
  li    matrices, 2
  li    turn, PROBS
lt_matrix:
  li    turns, PARTS
lt_turn:
  li    blocks, SPW
  addi  last, turn, (LANES - 1) * SP
  li    at, 0
lt_block:
; A query's value of the last key is copied to all lanes, that of each key before to the lanes before.
  vf.fma R[at], S[one], MS[last], Z
  li    mask, TRIANGLE + (LANES - 1) * LANES
  li    rows, LANES - 1
  mov   key, last
lt_key:
  addi  key, key, 0 - SP
  vf.sel R[at], M[mask], MS[key], R[at]
  addi  mask, mask, 0 - LANES
  dbnz  rows, lt_key
  addi  last, last, LANES * SP
  addi  at, at, SP
  dbnz  blocks, lt_block
  li    blocks, SPW
  li    at, 0
  mov   key, turn
lt_store:
  vf.fma M[key], S[r0], S[r0], R[at]
  addi  key, key, LANES
  addi  at, at, SP
  dbnz  blocks, lt_store
  addi  turn, turn, BLOCK
  dbnz  turns, lt_turn
  li    turn, DPROBS
  dbnz  matrices, lt_matrix
  halt
