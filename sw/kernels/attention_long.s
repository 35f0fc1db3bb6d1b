; Causal attention of one head and one sequence that lies over PARTS columns   (docs/explanation/kernels.md, Long
; sequences)
;
; Each column has the queries of SP tokens. Keys and values travel: a kernel has PARTS turns, in each of which every column
; sends its visitors' vectors to the column before it, the first column to the last. Scores are [turn][SP keys][SP queries].

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

; Scores of all turns: p[turn][u][t] = sum over features f of queries[f][t] * keys[f][u], over the group's rows, for the
; visiting keys. The blocks of LANES keys are processed in batches of up to BATCH entries of R: the blocks of a batch are
; computed, with the arrival of their visitors, then summed over the rows at once, then stored. A vf adds one product to all
; sums of a block, so that no beat waits for the previous one.
.routine scores_of_turns queries=r1 keys=r2 p=r5
.reg travelling, r2           ; beats of a head's vectors
.reg left, r3
.reg fresh, r4                ; blocks of the visitors that are not computed yet
.reg x, r8
.reg y, r9
.reg score, r10               ; R
.reg limit, r11               ; R: behind the batch
.reg rest, r12                ; entries of R of all batches to come
  csrw  IDX, link
  csrw  VL, beats
  set   STD, SP, x
  csrw  REP, features
  set   STA, T, x
  li    x, VISITORS
  vf.fma M[x], M[keys], S[one], Z
  mov   left, features
  li    travelling, 0
sc_count:
  addi  travelling, travelling, SPW
  dbnz  left, sc_count
  li    fresh, 0
  li    rest, PARTS * SP * SPW
sc_batch:
  li    limit, BATCH
  bge   rest, limit, sc_full
  mov   limit, rest
sc_full:
  sub   rest, rest, limit
  li    score, 0
  bne   fresh, r0, sc_resume
sc_block:
  bne   fresh, r0, sc_same
  mov   left, travelling
  li    x, VISITORS
sc_some:
  li    y, TRAVEL_AT_ONCE
  bge   left, y, sc_visit
  mov   y, left
sc_visit:
  visit x, y, SCORE_TRAVEL
  sub   left, left, y
  shl   y, y, LANE_BITS
  add   x, x, y
  bne   left, r0, sc_some
  li    fresh, SPW
sc_resume:
  set   STR, SPW, once
  csrw  VL, once
  csrw  STA, r0
  set   REP, LANES, once
  set   STB, 1, once
sc_same:
  mov   x, queries
  shl   left, fresh, LANE_BITS
  li    y, VISITORS + SP
  sub   y, y, left
  addi  left, features, -1
  vf.fma R[score], M[x], MS[y], Z
  beq   left, r0, sc_all
sc_next:
  addi  x, x, T
  addi  y, y, SP
  vf.fma R[score], M[x], MS[y], R[score]
  dbnz  left, sc_next
sc_all:
  addi  fresh, fresh, -1
  addi  score, score, LANES * SPW
  bne   score, limit, sc_block
.reg acc, r8                  ; as reduce.s has them
.reg entries, r9
  li    acc, 0
  mov   entries, limit
  group_rows
  jal   link, group_sum
  csrw  VL, entries
  set   REP, 1, once
  vf.fma M[p], S[r0], S[r0], R[r0]
  shl   entries, entries, LANE_BITS
  add   p, p, entries
  bne   rest, r0, sc_batch
  csrr  link, IDX
  ret   link

; -1e30 in place of the scores of keys behind their queries.
.macro mask_of_turns
.reg turn, r1
.reg left, r3
.reg p, r5
.reg x, r8
.reg y, r9
.reg minus, r10
  csrw  VL, beats
  set   REP, 1, x
  csrw  STA, r0
  set   STB, SP, x
  li    x, CLOSED
  vf.fma M[x], S[one], S[one], Z
  li    minus, bf16(-1e30)
  li    y, PLACE
  li    p, PROBS
  li    turn, 0
; From turn PLACE on, the visitors at a column are earlier keys. The last turn's are the column's own.
mask\@:
  csrw  IDX, turn
  set   REP, 1, left
  li    left, bf16(-1)
  vf.fma R[r0], M[x], S[one], Z
  vf.fma M[x], OH[y], S[left], R[r0]
  set   REP, SP, left
  vf.sel M[p], M[x], S[minus], M[p]
  addi  p, p, BLOCK
  addi  turn, turn, 1
  li    left, PARTS - 1
  bne   turn, left, mask\@
  set   STA, STRIP, left
  set   REP, LANES, left
  li    x, OWN
  li    left, SPW
own\@:
  vf.sel M[p], M[x], S[minus], M[p]
  addi  p, p, LANES * SP
  addi  x, x, 0 - LANES
  dbnz  left, own\@
.endm

; Turns the scores of all turns into weights. Ends a kernel.
.macro softmax_of_turns
; The maxima of every LANES-th row, then those of all; a maximum is one of its numbers, in whichever order.
  set   STA, LANES * SP, x
  li    left, LANES * SPW
  csrw  VL, left
  set   REP, 1, x
  vf.fma R[r0], S[one], S[minus], Z
  set   REP, PARTS * SPW, x
  csrw  STR, r0
  li    p, PROBS
  vf.max R[r0], M[p], S[one], R[r0]
  set   REP, 1, x
  li    y, SPW
fold\@:
  shr   left, left, 1
  csrw  VL, left
  vf.max R[r0], S[one], R[left], R[r0]
  bne   left, y, fold\@
; Maxima times -scale, then weights, their sums and the reciprocals of these.
.reg scale, r4
.reg sums, r9                 ; R: SPW
.reg all, r10
  li    scale, MINUS_SCALE
  vf.fma R[r0], S[scale], R[r0], Z
  zero  sums
  li    scale, SCALE
  set   STA, SP, x
  set   REP, PARTS * SP, all
  vf.exp M[p], M[p], S[scale], R[r0]
  vf.fma R[sums], M[p], S[one], R[sums]
  set   REP, 1, x
  vf.recip R[sums], S[one], R[sums], Z
  csrw  REP, all
  vf.fma M[p], M[p], R[sums], Z
  halt
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
  set   STB, SP, row
  csrw  STD, row
la_features:
  attend_features VISITORS_AT_ONCE
  beats_of_features
  set   STA, T, end
  li    end, VISITORS
  vf.fma M[end], M[weight], S[one], Z
  zero  sums
  csrw  STA, r0
  li    turn, PARTS
la_turn:
  li    weight, VISITORS
  visit weight, travelling, TRAVEL
  set   VL, SPW, end
  csrw  REP, now
  li    rows, SP
la_row:
  vf.fma R[sums], M[row], MS[weight], R[sums]
  attend_next_row la_row
  dbnz  turn, la_turn
  attend_store la_features
