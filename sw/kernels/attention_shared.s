; Attention over several columns whose rows share the keys   (docs/explanation/attention_rows.md, Rows share keys)
;
; The rows of a head's group form QUERY_PARTS parts of KEY_ROWS rows each. The rows of a part have the same PART
; queries; each of them has KEYS keys of the column. Backward, queries and keys change roles once. Rows behind the
; parts compute on queries and keys of others, and their results are not used.
;
; A row's OWN_KEYS keys are KEY_SETS sets of KEYS keys. The sets visit the other columns one after the other: scores are
; [set][turn][KEYS][PART].
;
; Row constants in memory: SHARE_KEY, the row's first key; SHARE_QUERIES, its first query; SHARE_FIRST and SHARE_END,
; the places of its features in an array of all features of the head, and behind them; SHARE_BEHIND, the size of what
; lies there; SHARE_OWN, the beats of its own features.

  attention_registers

; Entries of R of a record that is made.
.equ RECORD_AT, 256 - RECORD_BEATS

; dst[f][t] = all features of the head, those of the group's rows one after the other. src: this row's. Meanwhile main
; makes the records of x at `own`, as share_records does, unless that is 0. at: 0.
.kernel share_array x=r1 at=r4 own=r9 src=r10 dst=r11 head=r7
  jal   link, attention_start
  jal   link, own_features
  fork  share_psum
  beq   own, r0, sa_end
  jal   link, records_of_keys
sa_end:
  join
  halt

; This row's features of src wait in R from `at` on, for share_psum to exchange them.
.routine own_features at=r4 src=r10 dst=r11
.reg y, r13
  set   VL, SPW, y
  csrw  STR, y
  set   STA, T, y
  csrw  REP, features
  vf.fma R[at], M[src], S[one], Z
  mvp   r9, at
  mvp   r10, dst
  ret   link

; The exchange of share_array. South, each row passes on the features of the rows above it, then sends its own, from
; R[own_at] on, and stores them; north, its own, then those of the rows below it. Each is a chain with an end.
.routine share_psum to=r10 own_at=r9
.reg first, r2                ; elements: features of the rows above,
.reg end, r3
.reg behind, r4               ; of the rows below,
.reg left, r5                 ; to come,
.reg now, r6                  ; with an instruction
.reg mine, r11                ; elements: of this row,
.reg own, r7                  ; their beats,
.reg beats_now, r8            ; those of an instruction
  ld    first, r0, SHARE_FIRST
  ld    end, r0, SHARE_END
  ld    behind, r0, SHARE_BEHIND
  ld    own, r0, SHARE_OWN
  add   end, end, to
  add   mine, first, to
  li    now, 0
  mov   left, first
  beq   left, r0, sp_own
sp_south:
  jal   link, sp_some
  beq   behind, r0, sp_south_end
  vs.mov in=RING, out=RING, dst=M[to]
  jmp   sp_south_next
sp_south_end:
  vs.mov in=RING, dst=M[to]
sp_south_next:
  bne   left, r0, sp_south
sp_own:
  csrw  VL, own
  beq   behind, r0, sp_own_north
  vs.mov own=R[own_at], out=RING, dst=M[mine]
  beq   first, r0, sp_turn
sp_own_north:
  vs.mov own=R[own_at], out=NORTH, dst=M[mine]
  beq   behind, r0, sp_end
sp_turn:
  mov   to, end
  li    now, 0
  mov   left, behind
sp_north:
  jal   link, sp_some
  beq   first, r0, sp_north_end
  vs.mov in=NORTH, out=NORTH, dst=M[to]
  jmp   sp_north_next
sp_north_end:
  vs.mov in=NORTH, dst=M[to]
sp_north_next:
  bne   left, r0, sp_north
sp_end:
  halt
; The next beats, up to 128.
sp_some:
  add   to, to, now
  li    now, 128 * LANES
  bge   left, now, sp_most
  mov   now, left
sp_most:
  sub   left, left, now
  shr   beats_now, now, LANE_BITS
  csrw  VL, beats_now
  ret   link

; own[key] = the record of each of this row's OWN_KEYS keys of x: its features, then what is stored behind those in x.
.kernel share_records x=r1 own=r9 head=r7
  jal   link, attention_start
  jal   link, records_of_keys
  halt

; The records of share_records. Uses R from RECORD_AT on. psum may be busy.
.routine records_of_keys x=r1 own=r9
.reg keys, r6
.reg mask, r10
.reg left, r11
.reg at, r12
.reg y, r13
  ld    y, r0, SHARE_KEY
  add   x, x, y
  set   STB, LANES * SP, y
  csrw  STA, r0
  set   STR, 1, y
  li    keys, OWN_KEYS
so_key:
  set   VL, 1, y
  set   REP, RECORD_BEATS, y
  mov   at, x
  li    mask, TRIANGLE_LOWER
  li    left, LANES - 1
  li    y, RECORD_AT
; A beat's first feature is copied to all lanes, each further one to its lane and those behind.
  vf.fma R[y], S[one], MS[at], Z
so_lane:
  addi  at, at, SP
  vf.sel R[y], M[mask], MS[at], R[y]
  addi  mask, mask, LANES
  dbnz  left, so_lane
  set   VL, RECORD_BEATS, at
  set   REP, 1, at
  vf.fma M[own], S[r0], S[r0], R[y]
  addi  own, own, RECORD
  addi  x, x, 1
  dbnz  keys, so_key
  ret   link
