#!/usr/bin/env bash
# fpga/synth_link.sh BUILD: synthesizes the board's half of the link alone for an ECP5 (fpga/link: its core, and a
# serial line of any speed), and prints the cells of both. A minute; the logs are in BUILD/synth. ROWS=2 COLS=4 is the
# mesh whose outlets and flags it serves. PLACE=1 also places and routes both between registers (fpga/weft_link_top.sv), for
# the clock.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 rows=${ROWS:-2} cols=${COLS:-4}

# shellcheck source=fpga/flow
. fpga/flow
count() {  # count NAME TOP [OPTION...]: of read_slang
  local name=$1 top=$2 out=$build/synth/$1
  shift 2
  synthesize "$top" "$out" "$@"
  for cell in LUT4 CCU2C TRELLIS_FF TRELLIS_DPR16X4 DP16KD; do
    printf '%s %s: %s\n' "$name" "$cell" "$(sed -n "s/^ *\([0-9]*\) \+$cell\$/\1/p" "$out/stat.txt")"
  done
}
# The board's description, so that it is not optimized away.
about=384\'h$(printf '0123456789abcdef%.0s' 1 2 3 4 5 6)
count link weft_link -G "Rows=$rows" -G "Cols=$cols" -G "About=$about"
count serial_line weft_serial_line
if [ -n "${PLACE:-}" ]; then
  synthesize weft_link_top "$build/synth/link_top" -G "Rows=$rows" -G "Cols=$cols" -G "About=$about"
  place "$build/synth/link_top" 60 --seed "${SEED:-1}"
  python3 fpga/report.py "$build/synth/link_top" "the link for $rows x $cols tiles, on an ECP5-85F, with the registers around it (fpga/weft_link_top.sv)"
fi
