; Counting of a GEMM's or gradient's outputs, for a vocabulary too large for a register   (docs/explanation/stream.md,
; Large vocabularies)
;
; `outputs` is their number modulo 65,536. The table of homes is followed by the number of times that the count reaches 0; after
; 0 it continues with 65,535.

.macro first_output homes
  ld    r15, \homes, ROW_COUNT
.endm

.macro only_outputs
  li    r15, 1
.endm

.macro next_output again
  dbnz  outputs, \again
  dbnz  r15, \again
.endm
