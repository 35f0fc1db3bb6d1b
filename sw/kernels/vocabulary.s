; Embedding of a vocabulary in blocks   (docs/explanation/stream.md, Large vocabularies)

.reg acc, r5                  ; accumulators
.reg sums, r6                 ; three buffers of partial sums
.reg link, r14

; As embed. The stream: for every output, block by block, weights of token ids and CR; then weights of positions, CR.
; ids: [BLOCKS][T].
.kernel embed_blocks ids=r1 outputs=r2 y=r3 homes=r4 positions=r7
.reg block, r9                ; block of ids
.reg left, r10
  jal   link, gemm_start
  zero  acc
embed_blocks_output:
  mov   block, ids
  li    left, BLOCKS
embed_blocks_block:
  vaxs  R[acc], OH[block]
  addi  block, block, T
  dbnz  left, embed_blocks_block
  vaxs  R[acc], OH[positions]
  vcr   R[sums], R[acc]
  next_output embed_blocks_output
  join
  halt

; embed_blocks in two cycles a partial sum.
.kernel embed_blocks_rotating ids=r1 outputs=r2 y=r3 homes=r4 positions=r7
.reg block, r9                ; block of ids
.reg left, r10
  jal   link, rotating_start
embed_blocks_rotating_output:
  mov   block, ids
  li    left, BLOCKS
embed_blocks_rotating_block:
  vaxs  Q[sums], OH[block]
  addi  block, block, T
  dbnz  left, embed_blocks_rotating_block
  vaxs  Q[sums], OH[positions], put
  next_output embed_blocks_rotating_output
  join
  halt
