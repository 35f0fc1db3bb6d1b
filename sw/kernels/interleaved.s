; GEMM, embedding and a norm's scale and shift where a column has few beats of tokens: outputs are interleaved in the
; stream (docs/explanation/short_vectors.md).
;
; A group has `each` outputs, of `entries` = each * VLT entries in R, the last group of a home row fewer.

; The order of weights, and the indices that go with it, until the kernel ends.
.macro interleaved_order
  csrw  STR, order
  csrw  LMASK, mask
.endm
.macro interleaved_ends
  set   LMASK, LOCAL_MASK, r8
  join
  halt
.endm

.reg link, r14
.reg acc, r5                  ; accumulators, behind the three buffers of partial sums
.macro interleaved_accumulators
  set   REP, 1, r8
  add   acc, entries, entries
  add   acc, acc, entries
  zero  acc
.endm

; y[o] = sum over the stream's weights of w * x[i], as gemm. The stream: for every group its outputs' weights in turn,
; CR. homes: the table "outputs at home in row h". order: STR, VLT - 1, plus 8 if weights are numbered. mask: LMASK of
; the kernel.
.kernel gemm_interleaved x=r1 groups=r2 y=r3 homes=r4 each=r7 entries=r9 order=r10 mask=r11
  interleaved_order
  jal   link, interleaved_start
  interleaved_accumulators
gemm_interleaved_group:
  vaxs  R[acc], M[x], interleave
  vcr   R[r0], R[acc]
  dbnz  groups, gemm_interleaved_group
  interleaved_ends

; gemm_interleaved whose arrays two bases reach. The stream: for every group its outputs' weights of x in turn, CR, those of
; x2, CR.
.kernel gemm_2_interleaved x=r1 groups=r2 y=r3 homes=r4 x2=r6 each=r7 entries=r9 order=r10 mask=r11
  interleaved_order
  jal   link, interleaved_start
  interleaved_accumulators
gemm_2_interleaved_group:
  vaxs  R[acc], M[x], interleave
  vaxs  R[acc], M[x2], interleave
  vcr   R[r0], R[acc]
  dbnz  groups, gemm_2_interleaved_group
  interleaved_ends

; Embedding, as embed. The stream: for every group its outputs' weights of token ids in turn, CR, weights of positions, CR.
.kernel embed_interleaved ids=r1 groups=r2 y=r3 homes=r4 positions=r6 each=r7 entries=r9
  set   STR, VLT - 1, r8
  jal   link, interleaved_start
  interleaved_accumulators
embed_interleaved_group:
  vaxs  R[acc], OH[ids], interleave
  vaxs  R[acc], OH[positions], interleave
  vcr   R[r0], R[acc]
  dbnz  groups, embed_interleaved_group
  join
  halt

; gemm_interleaved in two cycles a partial sum.
.kernel gemm_interleaved_rotating x=r1 groups=r2 y=r3 homes=r4 each=r7 entries=r9 order=r10 mask=r11
  interleaved_order
  jal   link, interleaved_start
gemm_interleaved_rotating_group:
  vaxs  Q[r0], M[x], put, interleave
  dbnz  groups, gemm_interleaved_rotating_group
  interleaved_ends

; gemm_2_interleaved in two cycles a partial sum.
.kernel gemm_2_interleaved_rotating x=r1 groups=r2 y=r3 homes=r4 x2=r6 each=r7 entries=r9 order=r10 mask=r11
  interleaved_order
  jal   link, interleaved_start
gemm_2_interleaved_rotating_group:
  vaxs  Q[r0], M[x], interleave
  vaxs  Q[r0], M[x2], put, interleave
  dbnz  groups, gemm_2_interleaved_rotating_group
  interleaved_ends

; embed_interleaved in two cycles a partial sum.
.kernel embed_interleaved_rotating ids=r1 groups=r2 y=r3 homes=r4 positions=r6 each=r7 entries=r9
  set   STR, VLT - 1, r8
  jal   link, interleaved_start
embed_interleaved_rotating_group:
  vaxs  Q[r0], OH[ids], interleave
  vaxs  Q[r0], OH[positions], put, interleave
  dbnz  groups, embed_interleaved_rotating_group
  join
  halt

.routine interleaved_start y=r3 homes=r4 each=r7 entries=r9
  set   STA, T, r8
  csrw  VL, entries
  mvp   r1, y
  mvp   r2, homes
  mvp   r3, each
  mvp   r15, entries
  fork  interleaved_psum
  ret   link

.macro interleaved_middle
  vs.add in=RING, own=Q[at], out=RING
.endm
.macro interleaved_first
  vs.mov own=Q[at], out=RING
.endm
.macro interleaved_last
  vs.add in=RING, own=Q[at], dst=M[y]
  add   y, y, step
.endm
.macro interleaved_alone
  vs.mov own=Q[at], dst=M[y]
  add   y, y, step
.endm

; A row's work for the groups of a home row.
.macro interleaved_groups body
group\@:
  bge   left, each, whole\@
  jal   link, interleaved_fewer
whole\@:
  sub   left, left, each
  addi  groups, groups, 1
  \body
  bne   left, r0, group\@
  jmp   interleaved_next
.endm

; As gemm_psum, but with outputs in groups. Buffers begin at entry 0.
.routine interleaved_psum y=r1 homes=r2 each=r3 entries=r15
.reg row, r5
.reg rows, r6
.reg home, r7
.reg left, r8                 ; outputs of this home row
.reg first, r9                ; row where their sums start
.reg at, r10                  ; the first buffer, for the current VL
.reg groups, r11              ; so far, possibly less a multiple of 3
.reg step, r12                ; elements of a group's outputs
.reg turns, r13
.reg fewer, r4                ; entries of a smaller group
  csrr  row, ROW
  csrr  rows, ROWS
  li    home, 0
  li    groups, 0
  li    turns, 3
  shl   step, entries, LANE_BITS
interleaved_home:
  ld    left, homes, 0
  csrw  VL, entries
  li    at, 0
  beq   left, r0, interleaved_next
  addi  first, home, 1
  beq   row, home, interleaved_end
  bne   first, rows, interleaved_begins
  li    first, 0
interleaved_begins:
  beq   row, first, interleaved_starts
  interleaved_groups interleaved_middle
interleaved_starts:
  interleaved_groups interleaved_first
interleaved_end:
  beq   rows, first, interleaved_of_one
interleaved_end_groups:
  interleaved_groups interleaved_last
interleaved_of_one:
  bne   home, r0, interleaved_end_groups
  interleaved_groups interleaved_alone
interleaved_next:
  addi  homes, homes, 1
  addi  home, home, 1
  bne   home, rows, interleaved_home
  halt

; The last, smaller group of a home row: sets VL to its entries, and `at` so that its buffer, at buffer * entries, is at
; `at` + turn * VL.
interleaved_fewer:
  mov   fewer, entries
  sub   first, each, left
interleaved_entries:
  addi  fewer, fewer, 0 - VLT
  dbnz  first, interleaved_entries
  csrw  VL, fewer
interleaved_turns:
  blt   groups, turns, interleaved_turn
  sub   groups, groups, turns
  jmp   interleaved_turns
interleaved_turn:
  mov   first, groups
  beq   first, r0, interleaved_at
interleaved_before:
  add   at, at, entries
  sub   at, at, fewer
  dbnz  first, interleaved_before
interleaved_at:
  mov   left, each
  ret   link

; y = xhat * gamma + beta, as affine. The stream: for every group of slots gammas on xhat's indices, betas on the always-one
; feature's, then CR.
.kernel affine_interleaved xhat=r1 y=r2 slots=r3 each=r4 entries=r5
.reg left, r6                 ; slots, then entries of the last group
.reg one, r15
  set   REP, 1, r8
  set   STA, T, r8
  set   STR, VLT - 1, r8
  li    one, bf16(1)
affine_interleaved_group:
  bge   slots, each, affine_interleaved_whole
  li    entries, 0
  mov   left, slots
  mov   each, slots
affine_interleaved_entries:
  addi  entries, entries, VLT
  dbnz  left, affine_interleaved_entries
affine_interleaved_whole:
  csrw  VL, entries
  zero  r0
  vaxs  R[r0], M[xhat], interleave
  vf.fma M[y], S[one], R[r0], Z
  sub   slots, slots, each
  shl   left, entries, LANE_BITS
  add   y, y, left
  bne   slots, r0, affine_interleaved_group
  halt
