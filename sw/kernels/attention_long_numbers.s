; Documents of keys that travel between the columns of a sequence   (docs/explanation/kernels.md, Long sequences). No
; instructions of its own.
;
; NUMBERS: the numbers of the documents of the column's own tokens, and of the visitors.

  attention_registers

.equ VISITING, NUMBERS + SP

; Copies the documents of the column's tokens to NUMBERS, and to the visitors.
.macro numbers_of_tokens
  csrw  VL, beats
  set   REP, 1, r8
  li    r8, NUMBERS
  vf.fma M[r8], M[documents], S[one], Z
  li    r8, VISITING
  vf.fma M[r8], M[documents], S[one], Z
.endm

; Sets scores to `minus` where query and key are of different documents.
.macro mask_of_documents
.reg own, r2                  ; numbers of the queries' documents
.reg row, r4                  ; R
.reg number, r8               ; number of a key's document,
.reg key, r9                  ; and its address
.reg rows, r11
.reg blocks, r12
  set   REP, 1, own
  li    own, NUMBERS
  li    beats, SPW
  li    p, PROBS
  li    turn, PARTS
nd_turn\@:
  li    key, VISITING
  li    row, 0
  li    number, 1
  gather key, key, beats, number, number, row, one
  li    blocks, SPW
nd_block\@:
  li    row, LANES * SPW
  csrw  VL, row
  vf.fma R[r0], M[p], S[one], Z
  csrw  VL, beats
  li    row, 0
  li    rows, LANES
nd_row\@:
  ld    number, key, 0
  csrw  IDX, number
  vf.sel M[p], OH[own], R[row], S[minus]
  addi  key, key, 1
  addi  row, row, SPW
  addi  p, p, SP
  dbnz  rows, nd_row\@
  dbnz  blocks, nd_block\@
  dbnz  turn, nd_turn\@
.endm
