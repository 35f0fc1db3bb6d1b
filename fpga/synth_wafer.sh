#!/usr/bin/env bash
# fpga/synth_wafer.sh BUILD: places and routes a whole mesh without a link to a host (fpga/weft_wafer_top.sv) for an ECP5-85F of
# the slowest grade, and prints its size and speed. ROWS=2 COLS=4 SRAM_KIB=36 SEED=1. Eight tiles take most of an hour; the
# logs are in BUILD/synth.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 rows=${ROWS:-2} cols=${COLS:-4} kib=${SRAM_KIB:-36}
out=$build/synth/wafer_${rows}x$cols

# shellcheck source=fpga/flow
. fpga/flow
synthesize weft_wafer_top "$out" -G "Rows=$rows" -G "Cols=$cols" -G "SramKib=$kib"
place "$out" 50 --seed "${SEED:-1}"
python3 fpga/report.py "$out" \
  "$rows x $cols tiles, $kib KiB of SRAM each, on an ECP5-85F, without a link to a host (fpga/weft_wafer_top.sv)"
