; Counting of a GEMM's or gradient's outputs, whose number fits a register   (docs/explanation/kernels.md)

.macro first_output homes
.endm

.macro only_outputs
.endm

.macro next_output again
  dbnz  outputs, \again
.endm
