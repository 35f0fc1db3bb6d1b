; Outputs of a GEMM or gradient, of which a register holds the number   (docs/kernels.md)

.macro first_output homes
.endm

.macro only_outputs
.endm

.macro next_output again
  dbnz  outputs, \again
.endm
