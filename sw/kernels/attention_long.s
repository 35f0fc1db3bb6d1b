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

; Passes on `count` beats of R; the visitors' beats replace them.
.macro pass_on part count
  mvp   r1, \part
  mvp   r2, \count
  fork  pass_psum
  join
.endm

; Passes on `count` neighbouring beats of M by way of R from `travel` on; the visitors' beats replace them. Leaves REP = 1,
; VL = count.
.macro visit at count travel
  csrw  VL, \count
  set   REP, 1, r14
  li    r14, \travel
  vf.fma R[r14], M[\at], S[one], Z
  mvp   r1, r14
  mvp   r2, \at
  mvp   r3, \count
  fork  visit_psum
  join
.endm

; As visit, for `left` beats from x on, `most` at a time.
.macro visit_all travel most
some\@:
  li    y, \most
  bge   left, y, full\@
  mov   y, left
full\@:
  visit x, y, \travel
  sub   left, left, y
  shl   y, y, LANE_BITS
  add   x, x, y
  bne   left, r0, some\@
.endm

; LINK_BEATS out, as many in: there is room for them between two columns, so columns cannot wait for each other in a cycle.
.routine pass_psum part=r1 count=r2
.reg now, r3
pass_some:
  li    now, LINK_BEATS
  bge   count, now, pass_full
  mov   now, count
pass_full:
  csrw  VL, now
  vs.mov own=R[part], out=EAST
  vs.mov in=EAST, dst=R[part]
  add   part, part, now
  sub   count, count, now
  bne   count, r0, pass_some
  halt

.routine visit_psum part=r1 at=r2 count=r3
.reg now, r4
visit_some:
  li    now, LINK_BEATS
  bge   count, now, visit_full
  mov   now, count
visit_full:
  csrw  VL, now
  vs.mov own=R[part], out=EAST
  vs.mov in=EAST, dst=M[at]
  add   part, part, now
  sub   count, count, now
  shl   now, now, LANE_BITS
  add   at, at, now
  bne   count, r0, visit_some
  halt

; Kernels with scores process the blocks of all turns in batches of up to BATCH entries of R: the blocks of a batch are
; computed, then summed over the group's rows at once, then stored. Both the first and the last step go from turn to turn on
; their own.
.macro turns_registers
.reg travelling, r1           ; beats of a head's vectors
.reg left, r3
.reg fresh, r4                ; blocks of the visitors in VISITORS that are not computed yet
.reg x, r8
.reg y, r9
.reg score, r10               ; R
.reg limit, r11               ; R: behind the batch
.reg blocks, r12              ; blocks of a turn that are not stored yet
.reg rest, r13                ; entries of R of all batches to come
.endm

.macro scores_of_turns
  jal   link, attention_start
  jal   link, first_visitors
  turns_registers
.endm

; Before the first turn: copies this column's vectors of the head, at `from`, to VISITORS, and counts their beats. Leaves
; REP = 1, VL = SPW.
.routine first_visitors from=r1
  turns_registers
  csrw  VL, beats
  set   STD, SP, x
  csrw  REP, features
  set   STA, T, x
  li    x, VISITORS
  vf.fma M[x], M[from], S[one], Z
  set   REP, 1, x
  mov   left, features
  li    travelling, 0
first_count:
  addi  travelling, travelling, SPW
  dbnz  left, first_count
  li    fresh, 0
  li    blocks, 0
  li    rest, PARTS * SP * SPW
  ret   link

; Computes a batch: LANES rows for each block, one after the other in R from 0 on. Each row is the sum over features f of
; visitors[f] * y[f], with a y of its own, summed over the group's rows; `keys` is y[0] of the batch's first row. A vf adds one
; product to all sums of a block, so that no beat waits for the previous one. Leaves REP = LANES, STR = VL = SPW, score = 0.
.routine batch_of_scores keys=r2
  turns_registers
  csrw  IDX, link
  li    limit, BATCH
  bge   rest, limit, batch_full
  mov   limit, rest
batch_full:
  sub   rest, rest, limit
  li    score, 0
  bne   fresh, r0, batch_resume
batch_block:
  bne   fresh, r0, batch_same
  mov   left, travelling
  li    x, VISITORS
  visit_all SCORE_TRAVEL, TRAVEL_AT_ONCE
  li    fresh, SPW
batch_resume:
  set   STR, SPW, once
  csrw  VL, once
  csrw  STA, r0
  set   REP, LANES, once
  set   STB, 1, once
batch_same:
  li    x, VISITORS
  mov   y, keys
  addi  left, features, -1
  vf.fma R[score], M[x], MS[y], Z
  beq   left, r0, batch_all
batch_next:
  addi  x, x, SP
  addi  y, y, T
  vf.fma R[score], M[x], MS[y], R[score]
  dbnz  left, batch_next
batch_all:
  addi  keys, keys, LANES
  addi  fresh, fresh, -1
  bne   fresh, r0, batch_inside
  addi  keys, keys, 0 - SP
batch_inside:
  addi  score, score, LANES * SPW
  bne   score, limit, batch_block
.reg acc, r8                  ; as reduce.s has them
.reg entries, r9
  li    acc, 0
  mov   entries, limit
  group_rows
  jal   link, group_sum
  mov   limit, entries
  li    score, 0
  csrr  link, IDX
  ret   link

; Common parts of the kernels of attention weights: before the first turn; the begin of a turn, with the arrival of its
; visitors' maxima; the mask of a block; the end of a turn.
.macro first_turn
.reg mask, r3
.reg p, r5
.reg turn, r7
  li    x, CLOSED
  vf.fma M[x], S[one], S[one], Z
  li    x, bf16(-1e30)
  li    y, STATE
  vf.fma R[y], S[one], S[x], Z
  li    turn, 0
  li    p, PROBS
.endm

.macro begin_turn
  li    x, STATE
  li    y, SPW
  pass_on x, y
; From turn n + 1 on, the visitors at column n of a sequence are later tokens that have gone round, and see its keys.
  csrw  IDX, turn
  set   REP, 1, x
  li    left, bf16(-1)
  li    x, CLOSED
  li    y, PLACE
  vf.fma M[p], OH[y], S[left], Z
  vf.fma M[x], M[x], S[one], M[p]
  set   REP, LANES, x
  addi  turn, turn, 1
  li    blocks, SPW
.endm

; The masked visitors, one row per key in the last turn, whose visitors are the column's own, otherwise one row for all.
.macro mask_of_block
  li    mask, CLOSED
  csrw  STA, r0
  li    y, PARTS
  bne   turn, y, others\@
  shl   mask, blocks, LANE_BITS
  addi  mask, mask, OWN - SP
  set   STA, STRIP, y
others\@:
  li    x, bf16(-1e30)
.endm

; p: behind the block. Leaves STR = VL = SPW, REP = LANES.
.macro end_block
  addi  blocks, blocks, -1
  bne   blocks, r0, more\@
  addi  x, p, 0 - BLOCK
  li    y, STATE
  set   STA, SP, left
  csrw  REP, left
  csrw  STR, r0
  vf.max R[y], M[x], S[one], R[y]
  set   STR, SPW, left
  set   REP, LANES, left
more\@:
.endm

; Turns the scores of all turns into weights. `maxima` at STATE are those of this column's own queries. Ends a kernel.
.macro softmax_of_turns
; Maxima times -scale, then weights, their sums and the reciprocals of these: in turns, too.
.reg maxima, r9               ; R, behind the sums
.reg sums, r3                 ; R
.reg count, r4
.reg scale, r6
  set   REP, 1, count
  csrw  STR, r0
  li    maxima, STATE
  li    scale, MINUS_SCALE
  vf.fma R[maxima], S[scale], R[maxima], Z
  li    sums, STATE - SPW
  zero  sums
  li    count, 2 * SPW
  li    scale, SCALE
  li    p, PROBS
  set   STA, SP, x
  csrw  REP, x
  li    turn, PARTS
exp\@:
  pass_on sums, count
  vf.exp M[p], M[p], S[scale], R[maxima]
  vf.fma R[sums], M[p], S[one], R[sums]
  addi  p, p, BLOCK
  dbnz  turn, exp\@
  set   REP, 1, count
  vf.recip R[sums], S[one], R[sums], Z
  csrw  REP, x
  li    count, SPW
  li    p, PROBS
  li    turn, PARTS
scale\@:
  pass_on sums, count
  vf.fma M[p], M[p], R[sums], Z
  addi  p, p, BLOCK
  dbnz  turn, scale\@
.endm

; Beats of the vectors of `now` features.
.macro beats_of_features
.reg travelling, r13
  li    travelling, 0
  mov   rows, now
count\@:
  addi  travelling, travelling, SPW
  dbnz  rows, count\@
.endm

; dst[f][t] = factor * sum over all columns' u of matrix[turn][u][t] * src[f][u].
.kernel attend_long src=r1 dst=r2 factor=r3 matrix=r4 head=r7
  attend_begin
.reg turn, r12
la_features:
  attend_features HEAD_AT_ONCE
  beats_of_features
  zero  sums
  li    turn, PARTS
la_turn:
  pass_on sums, travelling
  li    rows, SP
la_row:
  vf.fma R[sums], M[row], MS[weight], R[sums]
  attend_next_row la_row
  addi  weight, weight, 0 - SP
  dbnz  turn, la_turn
  attend_store la_features
