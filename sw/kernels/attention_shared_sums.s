; Sums of a head's features of rows that share the keys   (attention_shared.s)
;
; Row constants: SHARE_MINE, the entries of R of a part's sums of the row's features; SHARE_BEFORE, of the features of
; the rows above; SHARE_POSITION, of the row in its group; SHARE_HOME, the entry of the row's own part.

  attention_registers

; R: the sums of this row's features, [query part][feature][PART_BEATS], behind those of all features for its queries.
.equ HOME, HEAD_FEATURES * PART_BEATS

; dst[f][query] = factor * sum over all sets, turns, visitors and rows of matrix[set][turn][visitor][query] * the
; visitor's f.
.kernel share_sum matrix=r1 own=r2 dst=r3 factor=r4 head=r7
  batch_registers
  jal   link, attention_start
  set   REP, 1, y
  set   VL, HOME, y
  zero  r0
su_set:
  jal   back, first_batch
su_batch:
  jal   back, next_batch
  set   VL, PART_BEATS, y
  csrw  STR, y
  csrw  STA, r0
  set   STB, 1, y
  set   REP, HEAD_FEATURES, y
  mov   y, now
su_row:
  vf.fma R[r0], M[matrix], MS[y], R[r0]
  addi  matrix, matrix, PART
  addi  y, y, RECORD
  dbnz  rows, su_row
  bne   rest, r0, su_batch
  addi  own, own, SLICE
  li    y, PROBS + SCORES
  bne   matrix, y, su_set
.reg home, r5
.reg count, r6
.reg n, r7
  set   REP, 1, y
  set   VL, HOME_ENTRIES, y
  li    home, HOME
  zero  home
  ld    y, r0, SHARE_MINE
  csrw  VL, y
  ld    at, r0, SHARE_HOME
  ld    y, r0, SHARE_BEFORE
  vf.fma R[at], S[r0], S[r0], R[y]
  fork  home_psum
  ld    count, r0, HEAD_DIM
  set   VL, PART_BEATS, y
  li    left, QUERY_PARTS
  join
su_part:
  mov   at, dst
  mov   n, count
su_feature:
  vf.fma M[at], S[factor], R[home], Z
  addi  home, home, PART_BEATS
  addi  at, at, T
  dbnz  n, su_feature
  addi  dst, dst, PART
  dbnz  left, su_part
  halt

; Brings the sums of each feature to its row, part by part: on RING those of the part's rows above it, on NORTH those
; of the rows below. Rows outside the part only pass them on.
.routine home_psum
.reg mine, r1
.reg before, r2
.reg row, r3
.reg first, r4                ; the part's first row,
.reg last, r5                 ; and its last row
.reg home, r6
.reg behind, r7               ; R: features of the rows below,
.reg rest, r8                 ; and their number of entries
.reg parts_end, r9
  ld    mine, r0, SHARE_MINE
  ld    before, r0, SHARE_BEFORE
  ld    row, r0, SHARE_POSITION
  add   behind, before, mine
  li    rest, HOME
  sub   rest, rest, behind
  li    parts_end, QUERY_PARTS * KEY_ROWS
  li    home, HOME
  li    first, 0
hp_south:
  addi  last, first, KEY_ROWS
  blt   row, first, hp_south_next
  beq   row, first, hp_south_first
  csrw  VL, mine
  vs.add in=RING, own=R[home], dst=R[home]
  beq   rest, r0, hp_south_next
  csrw  VL, rest
  bge   row, last, hp_south_pass
  vs.add in=RING, own=R[behind], out=RING
  jmp   hp_south_next
hp_south_pass:
  vs.mov in=RING, out=RING
  jmp   hp_south_next
hp_south_first:
  beq   rest, r0, hp_south_next
  csrw  VL, rest
  vs.mov own=R[behind], out=RING
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
  beq   before, r0, hp_north_mine
  csrw  VL, before
  blt   row, first, hp_north_pass
  vs.add in=NORTH, own=R[r0], out=NORTH
  jmp   hp_north_mine
hp_north_pass:
  vs.mov in=NORTH, out=NORTH
hp_north_mine:
  csrw  VL, mine
  vs.add in=NORTH, own=R[home], dst=R[home]
  jmp   hp_north_next
hp_north_last:
  beq   before, r0, hp_north_next
  csrw  VL, before
  vs.mov own=R[r0], out=NORTH
hp_north_next:
  add   home, home, mine
  addi  first, last, 1
  bne   first, parts_end, hp_north
  halt
