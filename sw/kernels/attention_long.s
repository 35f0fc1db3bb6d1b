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

; Brings `turns` visitors to M[at], `slice` elements from one to the next: the first from the column behind, the others from
; those behind it. Each is `count` neighbouring beats of M, and this column's first are at `from`. R from `part` on is used.
; REP = 1. Leaves VL = count.
.macro gather from at count turns slice part unit
  csrw  VL, \count
  vf.fma R[\part], M[\from], S[\unit], Z
  mvp   r1, \part
  mvp   r2, \at
  mvp   r3, \count
  mvp   r4, \turns
  mvp   r5, \slice
  fork  gather_psum
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

.routine gather_psum part=r1 at=r2 count=r3 turns=r4 slice=r5
.reg now, r6
.reg to, r7
.reg left, r8
gather_some:
  li    now, LINK_BEATS
  bge   count, now, gather_full
  mov   now, count
gather_full:
  csrw  VL, now
  vs.mov own=R[part], out=EAST
  mov   to, at
  addi  left, turns, -1
  beq   left, r0, gather_last
gather_turn:
  vs.mov in=EAST, out=EAST, dst=M[to]
  add   to, to, slice
  dbnz  left, gather_turn
gather_last:
  vs.mov in=EAST, dst=M[to]
  add   part, part, now
  sub   count, count, now
  shl   now, now, LANE_BITS
  add   at, at, now
  bne   count, r0, gather_some
  halt

; Scores of all turns: p[turn][u][t] = sum over features f of queries[f][t] * keys[f][u], over the group's rows, for the
; visiting keys. The visitors of TURNS_AT_ONCE turns are gathered, [turn][f][SP]. Batches of up to BATCH entries of R are
; computed, summed over the rows at once, and stored. A vf adds one product to many sums, so that no beat waits for the
; previous one: those of a key of each turn, or, where R holds less than a turn, those of LANES keys.
.routine scores_of_turns queries=r1 keys=r2 p=r5
.reg slice, r2                ; elements of a turn's visitors
.reg left, r3
.reg turns, r4                ; that are gathered
.reg from, r7                 ; the newest visitors
.reg x, r8
.reg y, r9
.reg score, r10               ; R
.reg limit, r11               ; R: behind the batch
.reg rest, r12                ; turns to come
.reg fresh, r13               ; entries of R of the visitors that are not computed yet
.reg end, r14                 ; R: behind the last score of a loop's first turn or block
.reg key, r15
  csrw  IDX, link
  csrw  VL, beats
  set   STD, SP, x
  csrw  REP, features
  set   STA, T, x
  li    from, VISITORS
  vf.fma M[from], M[keys], S[one], Z
  mov   left, features
  li    slice, 0
sc_slice:
  addi  slice, slice, SP
  dbnz  left, sc_slice
  li    rest, PARTS
sc_gather:
  li    turns, TURNS_AT_ONCE
  bge   rest, turns, sc_turns
  mov   turns, rest
sc_turns:
  sub   rest, rest, turns
  set   REP, 1, y
  shr   left, slice, LANE_BITS
  li    x, VISITORS
  li    once, bf16(1)
sc_some:
  li    y, TRAVEL_AT_ONCE
  bge   left, y, sc_travel
  mov   y, left
sc_travel:
  li    score, SCORE_TRAVEL
  gather from, x, y, turns, slice, score, once
  sub   left, left, y
  shl   y, y, LANE_BITS
  add   x, x, y
  add   from, from, y
  bne   left, r0, sc_some
  li    from, VISITORS
  sub   from, from, slice
  li    fresh, 0
  mov   left, turns
sc_count:
  add   from, from, slice
  addi  fresh, fresh, SP * SPW
  dbnz  left, sc_count
  li    key, VISITORS
sc_batch:
  li    limit, BATCH
  bge   fresh, limit, sc_full
  mov   limit, fresh
sc_full:
  sub   fresh, fresh, limit
  set   VL, SPW, y
  csrw  STA, r0
  li    score, 0
  li    end, BY_TURNS
  beq   end, r0, sc_blocks
  csrw  REP, turns
  csrw  STB, slice
  set   STR, SP * SPW, end
  jmp   sc_key
sc_blocks:
  csrw  STR, y
  set   REP, LANES, y
  set   STB, 1, y
  mov   end, limit
sc_key:
  mov   x, queries
  mov   y, key
  addi  left, features, -1
  vf.fma R[score], M[x], MS[y], Z
  beq   left, r0, sc_all
sc_next:
  addi  x, x, T
  addi  y, y, SP
  vf.fma R[score], M[x], MS[y], R[score]
  dbnz  left, sc_next
sc_all:
  addi  key, key, KEYS_AT_ONCE
  addi  score, score, KEYS_AT_ONCE * SPW
  bne   score, end, sc_key
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
  bne   fresh, r0, sc_batch
  bne   rest, r0, sc_gather
  li    one, bf16(1)
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
  set   VL, SPW, x
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
.reg turns, r1                ; that are gathered
.reg rest, r12                ; turns to come
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
  mov   weight, end           ; the newest visitors
  li    rest, PARTS
la_gather:
  li    turns, TURNS_AT_ONCE
  bge   rest, turns, la_turns
  mov   turns, rest
la_turns:
  sub   rest, rest, turns
  set   REP, 1, rows
  li    end, VISITORS
  shl   sums, travelling, LANE_BITS
  li    rows, TRAVEL
  gather weight, end, travelling, turns, sums, rows, one
  li    sums, 0
  set   VL, SPW, rows
  csrw  REP, now
  mov   weight, end
la_turn:
  li    rows, SP
la_row:
  vf.fma R[sums], M[row], MS[weight], R[sums]
  attend_next_row la_row
  shl   end, travelling, LANE_BITS
  add   weight, weight, end
  addi  weight, weight, 0 - SP
  dbnz  turns, la_turn
  sub   weight, weight, end
  bne   rest, r0, la_gather
  attend_store la_features
