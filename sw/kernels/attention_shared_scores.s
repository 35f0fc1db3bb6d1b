; Scores of rows that share the keys   (attention_shared.s)
;
; A row's scores are [set][turn][KEYS][PART]; a call computes those of one set. Visitors of a batch of turns are at hand while
; psum gathers those of the next batch: VISITORS has room for two batches of up to BATCH_TURNS turns.

  attention_registers

; Elements of a turn's visitors.
.equ SLICE, KEYS * RECORD

.macro batch_registers
.reg now, r5                  ; visitors at hand
.reg back, r6                 ; link of first_batch and next_batch
.reg rows, r7                 ; scores' rows of the batch at hand
.reg other, r8                ; visitors that are gathered
.reg from, r9                 ; of these records
.reg turns, r10               ; that are gathered
.reg left, r11
.reg rest, r12                ; turns to come
.reg y, r13
.reg z, r14
.endm

; Two buffers take turns. first_batch gathers the first batch, from this column's records at `from` on, or nothing if
; that is 0, because the call before has done so. next_batch waits for a batch, and gathers the next one; with the last
; batch, rest = 0, and the first batch of the records at `next` is gathered, if that is not 0.
.routine gather_batches next=r2
  batch_registers
first_batch:
  li    rest, PARTS
  li    turns, BATCH_TURNS
  beq   from, r0, gather_none
gather_batch:
  set   REP, 1, y
  li    y, SLICE_BEATS
  li    z, SLICE
  li    left, SHARE_TRAVEL
  begin_gather from, other, y, turns, z, left, one
gather_none:
  ret   back
next_batch:
  join
  mov   y, now
  mov   now, other
  mov   other, y
  sub   rest, rest, turns
  li    rows, BATCH_TURNS * KEYS
  addi  from, now, (BATCH_TURNS - 1) * SLICE
  bge   rest, turns, gather_batch
  mov   turns, rest
  bne   rest, r0, gather_batch
  li    rows, LAST_TURNS * KEYS
  mov   from, next
  li    turns, BATCH_TURNS
  bne   from, r0, gather_batch
  ret   back

; p[turn][key][query] = sum over features f of x[f][query] * the visitor's f. from: this column's records of the set,
; whose first batch goes to `other`, or 0 if it is there. now: the other buffer. next: the records of the next call, or 0.
.kernel share_scores x=r1 next=r2 p=r3 now=r5 other=r8 from=r9 head=r7
  li    r4, ss_store
  jmp   scores_of_shares

; share_scores with share_array (attention_shared.s): psum exchanges the array src while main computes the last batch.
; This row's features wait in R from `at` on, behind the scores of a batch and before the visitors on their way. next: 0.
.kernel share_scores_beside x=r1 next=r2 p=r3 at=r4 now=r5 other=r8 from=r9 src=r10 dst=r11 head=r7
  jal   link, attention_start
  jal   link, own_features
  li    r4, ss_beside
  jmp   scores_of_shares

; dS = P * (dP - D) in the place of P, with D of this row's queries.
.kernel share_own_derivatives x=r1 next=r2 p=r3 now=r5 other=r8 from=r9 head=r7
  li    r4, ss_own_derivatives
  jmp   scores_of_shares

; P, for visiting queries and for keys in lanes: exp and 1 / sum with the maximum and the 1 / sum of the visitor's
; record, unmasked.
.kernel share_weights x=r1 next=r2 p=r3 now=r5 other=r8 from=r9 head=r7
  li    r4, ss_weights
  jmp   scores_of_shares

; dS = P * (dP - D) in the place of P, likewise, with D of the visitor's record.
.kernel share_derivatives x=r1 next=r2 p=r3 now=r5 other=r8 from=r9 head=r7
  li    r4, ss_derivatives

; then: what happens to the scores of a batch, in R from 0; y is behind the features of the first visitor.
.routine scores_of_shares x=r1 p=r3 then=r4
  batch_registers
.reg at, r9
  jal   link, attention_start
  ld    y, r0, SHARE_QUERIES
  add   x, x, y
  set   STD, PART, y
  jal   back, first_batch
ss_batch:
  jal   back, next_batch
  bne   rest, r0, ss_compute
  li    y, ss_beside
  bne   then, y, ss_compute
  fork  share_psum
ss_compute:
  set   VL, PART_BEATS, y
  csrw  STR, y
  set   STB, RECORD, y
  csrw  STA, r0
  csrw  REP, rows
  mov   at, x
  mov   y, now
  li    left, HEAD_FEATURES - 1
  vf.fma R[r0], M[at], MS[y], Z
ss_feature:
  addi  at, at, SP
  addi  y, y, 1
  vf.fma R[r0], M[at], MS[y], R[r0]
  dbnz  left, ss_feature
  addi  y, now, RECORD - LANES
  jr    then
ss_weights:
  vf.fma M[p], S[r0], S[r0], R[r0]
  set   STA, PART, at
  li    at, MINUS_SCALE
  vf.fma R[r0], S[at], MS[y], Z
  li    at, SCALE
  vf.exp M[p], M[p], S[at], R[r0]
  addi  y, y, 1
  vf.fma M[p], M[p], MS[y], Z
  jmp   ss_next
ss_own_derivatives:
  ld    y, r0, SHARE_QUERIES
  addi  y, y, SHARED_DOUT + (RECORD - LANES + D_ROW) * SP
  li    at, bf16(-1)
  vf.fma R[r0], M[y], S[at], R[r0]
  jmp   ss_times
ss_derivatives:
  addi  y, y, D_ROW
  li    at, bf16(-1)
  vf.fma R[r0], S[at], MS[y], R[r0]
; P times all of the batch, whose entries of R are neighbours as its scores are.
ss_times:
  li    at, LAST_TURNS * KEYS * PART_BEATS
  beq   rest, r0, ss_last
  li    at, BATCH_TURNS * KEYS * PART_BEATS
ss_last:
  csrw  VL, at
  set   REP, 1, at
  vf.fma M[p], M[p], R[r0], Z
  jmp   ss_next
ss_beside:                    ; an address of its own: `then` tells that psum exchanges an array
  jmp   ss_store
ss_store:
  vf.fma M[p], S[r0], S[r0], R[r0]
ss_next:
  addi  p, p, BATCH_TURNS * KEYS * PART
  bne   rest, r0, ss_batch
  halt

; Masks P for visiting queries, as mask_of_shares says.
.kernel share_mask value=r2 open=r3 step=r4 own=r5 head=r7
  jal   link, attention_start
  jal   r7, mask_of_shares
  halt

; Sets scores at PROBS to `value` where they must not be seen: in closed turns, and in a set's last turn where `own` is
; not 0. open: 1.0 if turns before PLACE are closed, 0 if those from PLACE on are; step: its change there. Returns to r7.
.routine mask_of_shares value=r2 open=r3 step=r4 own=r5
.reg x, r6
.reg place, r8
.reg at, r9
.reg turn, r10
.reg y, r11
.reg sets, r12
  set   VL, KEYS * PART_BEATS, y
  set   REP, 1, y
  li    x, CLOSED
  li    place, PLACE
  li    at, PROBS
  li    y, PARTS - 1
  li    sets, KEY_SETS
ms_set:
  vf.fma M[x], S[open], S[one], Z
  li    turn, 0
ms_turn:
  csrw  IDX, turn
  vf.fma R[r0], M[x], S[one], Z
  vf.fma M[x], OH[place], S[step], R[r0]
  vf.sel M[at], M[x], S[value], M[at]
  addi  at, at, KEYS * PART
  addi  turn, turn, 1
  bne   turn, y, ms_turn
  vf.sel M[at], M[own], S[value], M[at]
  addi  at, at, KEYS * PART
  addi  own, own, KEYS * PART
  dbnz  sets, ms_set
  ret   r7
