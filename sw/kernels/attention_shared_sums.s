; Sums of a head's features of rows that share the keys   (attention_shared.s)
;
; Row constants: SHARE_MINE, the entries of R of a part's sums of the row's features; SHARE_BEFORE, of the features of
; the rows above; SHARE_REST, of those of the rows below; SHARE_POSITION, of the row in its group; SHARE_HOME, the entry
; of the row's own part.

  attention_registers

; R: sums of all features for this row's queries, last feature first: those of the rows below, of this row, of the rows
; above. Behind them the sums of this row's features, [query part][feature][PART_BEATS], last feature first.
.equ HOME, HEAD_FEATURES * PART_BEATS

; dst[f][query] = factor * sum over all sets, turns, visitors and rows of matrix[set][turn][visitor][query] * the
; visitor's f. from, other, now: as in attention_shared_scores.s, of the first set. next: the records of the second set;
; last: the records of the next call, or 0. records: 1 to make the records of SHARED_DOUT and SHARED_Q besides, while psum
; brings the sums to their rows.
.kernel share_sum matrix=r1 next=r2 dst=r3 factor=r4 now=r5 other=r8 from=r9 last=r10 records=r11 head=r7
  csrw  STD, last
  csrw  IDX, records
  jal   link, attention_start

.routine sums_of_shares matrix=r1 next=r2 dst=r3 factor=r4
  batch_registers
su_set:
  li    y, PROBS + SCORES - SET_SCORES
  bne   matrix, y, su_begin
  csrr  next, STD
su_begin:
  jal   back, first_batch
su_batch:
  jal   back, next_batch
  set   VL, PART_BEATS, y
  csrw  STR, y
  csrw  STA, r0
  set   STB, -1, y
  set   REP, HEAD_FEATURES, y
  addi  y, now, HEAD_FEATURES - 1
  li    z, PROBS
  bne   matrix, z, su_row
  vf.fma R[r0], M[matrix], MS[y], Z
  jmp   su_next
su_row:
  vf.fma R[r0], M[matrix], MS[y], R[r0]
su_next:
  addi  matrix, matrix, PART
  addi  y, y, RECORD
  dbnz  rows, su_row
  bne   rest, r0, su_batch
  li    from, 0
  addi  next, next, SLICE
  li    y, PROBS + SCORES
  bne   matrix, y, su_set
  join
.reg home, r5
.reg count, r6
.reg n, r7
.reg each, r8                 ; entries of a part's sums of the row's features
.reg at, r12
  set   REP, 1, y
  set   VL, HOME_ENTRIES, y
  li    home, HOME
  zero  home
  ld    each, r0, SHARE_MINE
  csrw  VL, each
  ld    at, r0, SHARE_HOME
  ld    y, r0, SHARE_REST
  vf.fma R[at], S[r0], S[r0], R[y]
  fork  home_psum
  csrr  y, IDX
  beq   y, r0, su_home
  li    r1, SHARED_DOUT
  li    r9, RECORDS_V
  jal   link, records_of_keys
  li    r1, SHARED_Q
  li    r9, RECORDS_K
  jal   link, records_of_keys
su_home:
  ld    count, r0, HEAD_DIM
  set   VL, PART_BEATS, y
  li    left, QUERY_PARTS
  join
su_part:
  mov   at, dst
  mov   n, count
  add   home, home, each
su_feature:
  addi  home, home, 0 - PART_BEATS
  vf.fma M[at], S[factor], R[home], Z
  addi  at, at, T
  dbnz  n, su_feature
  add   home, home, each
  addi  dst, dst, PART
  dbnz  left, su_part
  halt

; Brings the sums of each feature to its row, part by part: on RING those of the part's rows above it, on NORTH those
; of the rows below. Rows outside the part only pass them on. The sums of the farthest row go first, so that the last row
; has all of RING, and begins with NORTH, while the first row still sends.
.routine home_psum
.reg mine, r1
.reg before, r2
.reg row, r3
.reg first, r4                ; the part's first row,
.reg last, r5                 ; and its last row
.reg home, r6
.reg above, r7                ; R: features of the rows above
.reg rest, r8                 ; entries of the features of the rows below
.reg parts_end, r9
  ld    mine, r0, SHARE_MINE
  ld    before, r0, SHARE_BEFORE
  ld    row, r0, SHARE_POSITION
  ld    rest, r0, SHARE_REST
  add   above, rest, mine
  li    parts_end, QUERY_PARTS * KEY_ROWS
  li    home, HOME
  li    first, 0
hp_south:
  addi  last, first, KEY_ROWS
  blt   row, first, hp_south_next
  beq   rest, r0, hp_south_mine
  csrw  VL, rest
  beq   row, first, hp_south_first
  bge   row, last, hp_south_pass
  vs.add in=RING, own=R[r0], out=RING
  jmp   hp_south_mine
hp_south_first:
  vs.mov own=R[r0], out=RING
  jmp   hp_south_next
hp_south_pass:
  vs.mov in=RING, out=RING
hp_south_mine:
  beq   row, first, hp_south_next
  csrw  VL, mine
  vs.add in=RING, own=R[home], dst=R[home]
hp_south_next:
  add   home, home, mine
  mov   first, last
  bne   first, parts_end, hp_south
  li    home, HOME
  li    first, 0
hp_north:
  addi  last, first, KEY_ROWS - 1
  blt   last, row, hp_north_next
  beq   last, row, hp_north_last
  csrw  VL, mine
  vs.add in=NORTH, own=R[home], dst=R[home]
  beq   before, r0, hp_north_next
  csrw  VL, before
  blt   row, first, hp_north_pass
  vs.add in=NORTH, own=R[above], out=NORTH
  jmp   hp_north_next
hp_north_pass:
  vs.mov in=NORTH, out=NORTH
  jmp   hp_north_next
hp_north_last:
  beq   before, r0, hp_north_next
  csrw  VL, before
  vs.mov own=R[above], out=NORTH
hp_north_next:
  add   home, home, mine
  addi  first, last, 1
  bne   first, parts_end, hp_north
  halt
