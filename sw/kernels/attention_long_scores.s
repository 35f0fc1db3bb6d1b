; Scores of a sequence over several columns, their mask and their softmax   (docs/explanation/kernels.md, Long sequences)

  attention_registers

; Length of a key's row of STRIPS: 1.0 for queries before the key, 0 for those behind, for all possible distances.
.equ STRIP, 2 * SP - LANES
.equ OWN, STRIPS + SP - LANES

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
  softmax_of_rows first_of_turns
.endm
.macro first_of_turns
  li    p, PROBS
.endm
