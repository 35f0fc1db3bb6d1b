; Softmax of rows that share the keys, and the sums of its derivative   (attention_shared.s)
;
; The maximum and 1 / sum of each query are stored behind the features of SHARED_Q, where share_records finds them, D behind those
; of SHARED_DOUT, which can be the same array. Row constant: SHARE_AMONG, the entry of R of the row's first query among ALL.
;
; V_FIRST: where the first batch of v's records is gathered, or 0 if v is exchanged behind this kernel.

  attention_registers

; R: a value of each of the column's queries. R[0..] has those of this row's queries.
.equ ALL, PART_BEATS

.macro share_registers
.reg p, r1
.reg initial, r2
.reg own, r3
.reg x, r4
.reg all, r5
.reg how, r6
.reg acc, r8                  ; as reduce.s has them
.endm

; ALL becomes R[0..] of all rows, reduced by the routine `how`; `initial` is its neutral element. Leaves VL = SPW.
; Returns to r7.
.routine group_of_shares
  share_registers
.reg entries, r9
  li    entries, SPW
  csrw  VL, entries
  li    acc, ALL
  vf.fma R[acc], S[initial], S[one], Z
  set   VL, PART_BEATS, x
  vf.fma R[own], S[r0], S[r0], R[r0]
  ld    group_first, r0, GROUP_FIRST
  ld    group_last, r0, GROUP_LAST
  li    link, gs_back
  jr    how
gs_back:
  csrw  VL, entries
  ret   r7

; group_max of reduce.s; meanwhile main makes the records of v, for which R has room from RECORD_AT on.
.routine maxima_and_records
  share_registers
.reg entries, r9
  mvp   r1, acc
  mvp   r2, entries
  mvp   r3, group_first
  mvp   r4, group_last
  fork  max_psum
  li    x, V_FIRST
  beq   x, r0, mr_join
  li    r1, SHARED_V
  li    r9, RECORDS_V
  jal   link, records_of_keys
  li    entries, SPW
mr_join:
  join
  jmp   gs_back

; Masks the scores at PROBS, as mask_of_shares says, and turns them into weights: softmax over all keys of scale * p. If v has been exchanged, its
; records are made, and psum gathers the first batch of them.
.kernel share_probs value=r2 open=r3 step=r4 mask=r5 head=r7
  jal   link, attention_start
  jal   r7, mask_of_shares
  share_registers
  ld    own, r0, SHARE_AMONG
  li    p, PROBS
  csrw  STR, r0
  set   STA, PART, x
  csrw  STD, x
  set   VL, PART_BEATS, x
  li    all, PARTS * OWN_KEYS
  vf.fma R[r0], S[one], S[initial], Z
  csrw  REP, all
  vf.max R[r0], M[p], S[one], R[r0]
  set   REP, 1, x
  li    how, maxima_and_records
  jal   r7, group_of_shares
  li    x, SHARED_Q + (RECORD - LANES) * SP
  vf.fma M[x], S[r0], S[r0], R[acc]
  csrw  STR, r0
  set   STA, PART, x
  set   VL, PART_BEATS, x
  li    p, PROBS
  li    how, MINUS_SCALE
  vf.fma R[r0], S[how], R[own], Z
  li    how, SCALE
  csrw  REP, all
  vf.exp M[p], M[p], S[how], R[r0]
  set   REP, 1, x
  zero  r0
  li    r8, V_FIRST
  beq   r8, r0, sr_sum
  li    r9, RECORDS_V
  li    r10, BATCH_TURNS
  jal   r6, gather_batch
  set   VL, PART_BEATS, x
sr_sum:
  csrw  REP, all
  vf.fma R[r0], M[p], S[one], R[r0]
  set   REP, 1, x
  join
  li    initial, 0
  li    how, group_sum
  jal   r7, group_of_shares
  vf.recip R[acc], S[one], R[acc], Z
  li    x, SHARED_Q + (RECORD - LANES + 1) * SP
  vf.fma M[x], S[r0], S[r0], R[acc]
  set   VL, PART_BEATS, x
  csrw  REP, all
  vf.fma M[p], M[p], R[own], Z
  halt

; D = sum over the head's features of out * dout, of all rows: for each query the sum over keys of P * dP.
.kernel share_delta out=r1 dout=r2 head=r7
  jal   link, attention_start
.reg acc, r8                  ; as reduce.s has them
.reg entries, r9
.reg x, r3
  set   VL, SPW, x
  set   STA, T, x
  csrw  STB, x
  csrw  STR, r0
  set   REP, 1, x
  zero  r0
  csrw  REP, features
  vf.fma R[r0], M[out], M[dout], R[r0]
  set   REP, 1, x
  li    acc, 0
  li    entries, SPW
  ld    group_first, r0, GROUP_FIRST
  ld    group_last, r0, GROUP_LAST
  jal   link, group_sum
  li    x, SHARED_DOUT + (RECORD - LANES + D_ROW) * SP
  vf.fma M[x], S[r0], S[r0], R[acc]
  halt
