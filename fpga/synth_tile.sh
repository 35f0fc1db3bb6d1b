#!/usr/bin/env bash
# fpga/synth_tile.sh BUILD: places and routes one tile (fpga/weft_tile_top.sv) for an ECP5-85F of the slowest grade, and
# prints its size and speed. Minutes; the logs are in BUILD/synth. SRAM_KIB=36 is the memory of the tile, SEED=1 the
# placer's seed; TALLY=23 adds cycle counters of that width (docs/explanation/stalls.md), DEBUG=1 a node of the debug
# chain (docs/reference/debug_chain.md), ANY_ADDRESS=1 and COLOR_OUTBOX=1 parts of a general tile
# (docs/reference/general_tile.md).
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 kib=${SRAM_KIB:-36} tally=${TALLY:-0} out=$1/synth/tile
[ "$tally" = 0 ] || out=${out}_tally$tally
[ "${DEBUG:-0}" = 0 ] || out=${out}_debug
[ "${ANY_ADDRESS:-0}" = 0 ] || out=${out}_any_address
[ "${COLOR_OUTBOX:-0}" = 0 ] || out=${out}_color_outbox

# shellcheck source=fpga/flow
. fpga/flow
synthesize weft_tile_top "$out" -G "SramKib=$kib" -G "Tally=$tally" -G "Debug=${DEBUG:-0}" \
  -G "AnyAddress=${ANY_ADDRESS:-0}" -G "ColorOutbox=${COLOR_OUTBOX:-0}"
place "$out" 60 --seed "${SEED:-1}"
python3 fpga/report.py "$out" "one tile, $kib KiB of SRAM, on an ECP5-85F, with the registers around it (fpga/weft_tile_top.sv)"
