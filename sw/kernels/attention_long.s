; Causal attention of one head and one sequence that lies over PARTS columns   (docs/explanation/kernels.md, Long
; sequences)
;
; Each column has the keys and values of SP tokens. Queries travel: a kernel has PARTS turns, in each of which every column sends
; its visitors' vectors to the next column, the last column to the first. Scores are [turn][SP keys][SP queries].

  attention_registers

.equ BLOCK, SP * SP
; Length of a key's row of STRIPS: 1.0 for queries before the key, 0 for those behind, for all possible distances.
.equ STRIP, 2 * SP - LANES
.equ OWN, STRIPS + SP - LANES

; Passes on `count` vectors of SPW entries of R; the visitors' vectors replace them.
.macro pass_on part count
  mvp   r1, \part
  mvp   r2, \count
  fork  pass_psum
  join
.endm

; Passes on `count` vectors [SP] of M by way of R; the visitors' vectors replace them. Leaves REP = count, STA = SP, STR = VL = beats.
.macro visit at count
  csrw  VL, beats
  csrw  STR, beats
  set   STA, SP, r14
  csrw  REP, \count
  li    r14, TRAVEL
  vf.fma R[r14], M[\at], S[one], Z
  mvp   r1, r14
  mvp   r2, \at
  mvp   r3, \count
  fork  visit_psum
  join
.endm

; One beat out, one beat in: links have room for one beat, so columns cannot wait for each other in a cycle.
.routine pass_psum part=r1 count=r2
.reg more, r3
  set   VL, 1, more
pass_vector:
  li    more, SPW
pass_beat:
  vs.mov own=R[part], out=EAST
  vs.mov in=EAST, dst=R[part]
  addi  part, part, 1
  dbnz  more, pass_beat
  dbnz  count, pass_vector
  halt

.routine visit_psum part=r1 at=r2 count=r3
.reg more, r4
  set   VL, 1, more
visit_vector:
  li    more, SPW
visit_beat:
  vs.mov own=R[part], out=EAST
  vs.mov in=EAST, dst=M[at]
  addi  part, part, 1
  addi  at, at, LANES
  dbnz  more, visit_beat
  dbnz  count, visit_vector
  halt

; For kernels with scores: copies this column's vectors of the head to VISITORS. REP = 1.
.macro first_visitors from
  csrw  REP, features
  set   STA, T, x
  li    x, VISITORS
  vf.fma M[x], M[\from], S[one], Z
  csrw  REP, once
.endm

; Passes on all of a head's vectors, as many at a time as R has room for. REP = 1.
.macro next_visitors
  mov   left, features
  li    x, VISITORS
some\@:
  li    y, VISITORS_AT_ONCE
  bge   left, y, full\@
  mov   y, left
full\@:
  visit x, y
  addi  x, x, VISITORS_AT_ONCE * SP
  sub   left, left, y
  bne   left, r0, some\@
  li    once, 1
  csrw  REP, once
.endm

; Common parts of the kernels of scores: before the first turn; the begin of a turn, from the arrival of its visitors to the first
; block of keys; after the last block. `mask`: the masked visitors, one row per key or, with `stride` 0, the same row for all.
.macro first_turn
.reg turn, r1
.reg stride, r4
.reg p, r5
.reg mask, r7
.reg blocks, r12
  li    x, CLOSED
  vf.fma M[x], S[one], S[one], Z
  li    x, bf16(-1e30)
  li    y, STATE
  vf.fma R[y], S[one], S[x], Z
  li    turn, 0
  li    p, PROBS
.endm

.macro begin_turn block
  li    y, STATE
  pass_on y, once
; From turn n + 1 on, the visitors at column n of a sequence are later tokens that have gone round, and see its keys.
  csrw  IDX, turn
  li    left, bf16(-1)
  li    x, CLOSED
  li    y, PLACE
  vf.fma R[r0], M[x], S[one], Z
  vf.fma M[x], OH[y], S[left], R[r0]
  li    x, LANES
  csrw  REP, x
  li    blocks, SPW
  li    mask, CLOSED
  li    stride, 0
  addi  turn, turn, 1
  li    x, PARTS
  bne   turn, x, \block
  li    mask, OWN             ; the last turn's visitors are the column's own
  li    stride, STRIP
.endm

.macro end_turn again
  addi  k, k, 0 - SP
  addi  x, p, 0 - BLOCK
  li    y, STATE
  set   STA, SP, left
  csrw  REP, left
  csrw  STR, r0
  vf.max R[y], M[x], S[one], R[y]
  csrw  REP, once
  li    x, PARTS
  bne   turn, x, \again
.endm

; Turns the scores of all turns into weights. `maxima` at STATE are those of this column's own queries. Ends a kernel.
.macro softmax_of_turns
; Maxima times -scale, then weights, their sums and the reciprocals of these: in turns, too.
.reg maxima, r9               ; R, behind the sums
.reg sums, r3                 ; R
.reg two, r4
.reg scale, r7
  li    maxima, STATE
  li    scale, MINUS_SCALE
  vf.fma R[maxima], S[scale], R[maxima], Z
  li    sums, STATE - SPW
  zero  sums
  li    two, 2
  li    scale, SCALE
  li    p, PROBS
  set   REP, SP, x
  li    turn, PARTS
exp\@:
  pass_on sums, two
  vf.exp M[p], M[p], S[scale], R[maxima]
  vf.fma R[sums], M[p], S[one], R[sums]
  addi  p, p, BLOCK
  dbnz  turn, exp\@
  csrw  REP, once
  vf.recip R[sums], S[one], R[sums], Z
  set   REP, SP, x
  li    p, PROBS
  li    turn, PARTS
scale\@:
  pass_on sums, once
  vf.fma M[p], M[p], R[sums], Z
  addi  p, p, BLOCK
  dbnz  turn, scale\@
.endm

; dst[f][t] = factor * sum over all columns' u of matrix[turn][u][t] * src[f][u].
.kernel attend_long src=r1 dst=r2 factor=r3 matrix=r4 head=r7
  attend_begin
.reg turn, r12
la_features:
  attend_features HEAD_AT_ONCE
  zero  sums
  li    turn, PARTS
la_turn:
  pass_on sums, now
  li    rows, SP
la_row:
  vf.fma R[sums], M[row], MS[weight], R[sums]
  attend_next_row la_row
  addi  weight, weight, 0 - SP
  dbnz  turn, la_turn
  attend_store la_features
