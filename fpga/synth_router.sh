#!/usr/bin/env bash
# fpga/synth_router.sh BUILD: synthesizes a router alone for an ECP5, with all turns and with those of the compiler's routes
# (KERNEL_TURNS in sw/isa/isa.py), and prints the cells of both. A minute each; the logs are in BUILD/synth.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1

# shellcheck source=fpga/flow
. fpga/flow
count() {  # count NAME [OPTION...]: of read_slang
  local name=$1 out=$build/synth/router_$1
  shift
  synthesize weft_router "$out" "$@"
  for cell in LUT4 TRELLIS_FF TRELLIS_DPR16X4 CCU2C; do
    printf '%s %s: %s\n' "$name" "$cell" "$(sed -n "s/^ *\([0-9]*\) \+$cell\$/\1/p" "$out/stat.txt")"
  done
}
count all
count kernel -G Turns=weft_isa_pkg::KernelTurns
