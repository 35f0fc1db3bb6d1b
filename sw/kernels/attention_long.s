; Causal attention of one head and one sequence that lies over PARTS columns   (docs/explanation/kernels.md, Long
; sequences)
;
; Each column has the queries of SP tokens. Keys and values travel: a kernel has PARTS turns, in each of which every column
; sends its visitors' vectors to the column before it, the first column to the last. Scores are [turn][SP keys][SP queries].

  attention_registers

.equ BLOCK, SP * SP

; Passes on `count` beats of R; the visitors' beats replace them.
.macro pass_on part count
  mvp   r1, \part
  mvp   r2, \count
  fork  pass_psum
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
