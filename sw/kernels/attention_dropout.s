; Dropout of attention's weights: masks of a head and a sequence   (docs/explanation/dropout.md, Attention's weights). No
; instructions of its own.

  attention_registers

; Drops elements of a matrix of the upper layout or of whole rows, P or dP, and multiplies the others by hi + lo; after
; dropout_mix. mixed: DROP_MIXED of the sequence. An element is kept if its number is at most below * factor. next: a macro that
; moves matrix, mixed and beats behind a block of LANES keys. Ends a kernel. DROP_FLAG is the same in all tiles.
;
; max(-x, c) twice is x for c = -1e30, where x is kept, and 0 for c = 0: c moves from key to key, as a factor in R does not.
.macro drop_blocks next
.reg blocks, r6               ; in the place of features
.reg at, r7                   ; in the place of head: a number
.reg minus, r9
.reg table, r11
.reg left, r15                ; in the place of one
  ld    blocks, r0, DROP_FLAG
  beq   blocks, r0, none\@
  li    table, DROP_KEYS
  beq   at, r0, table\@
heads\@:
  addi  table, table, 4 * PARTS * SP
  dbnz  at, heads\@
table\@:
  li    blocks, PARTS * SPW
  set   STB, 4, at
  set   STD, SP, at
block\@:
  csrw  REP, lanes
  csrw  STA, r0
  csrw  VL, beats
  csrw  STR, beats
  li    at, bf16(192)
  vf.fma R[r0], M[mixed], MS[table], S[at]
  li    left, 3
sum\@:
  addi  mixed, mixed, T
  addi  table, table, 1
  vf.fma R[r0], M[mixed], MS[table], R[r0]
  dbnz  left, sum\@
  set   REP, 1, at
  shl   at, beats, LANE_BITS
  csrw  VL, at
  li    at, bf16(-1)
  vf.fma R[r0], S[at], R[r0], R[r0]
  vf.ge R[r0], S[below], S[factor], R[r0]
  li    minus, bf16(-1e30)
  vf.fma R[r0], S[minus], R[r0], Z
  csrw  VL, beats
  csrw  REP, lanes
  set   STA, SP, minus
  vf.max M[matrix], M[matrix], S[at], R[r0]
  vf.max M[matrix], M[matrix], S[at], R[r0]
  vf.fma R[r0], M[matrix], S[lo], Z
  vf.fma M[matrix], M[matrix], S[hi], R[r0]
  addi  table, table, 4 * LANES - 3
  \next
  dbnz  blocks, block\@
none\@:
  halt
.endm
