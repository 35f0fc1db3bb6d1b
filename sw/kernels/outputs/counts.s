; Outputs of a GEMM or gradient, of a vocabulary that a register does not count   (docs/stream.md, Large vocabularies)
;
; `outputs` is their number modulo 65,536; behind the table of homes is how many times it reaches 0, as from there it goes on
; with 65,535.

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
