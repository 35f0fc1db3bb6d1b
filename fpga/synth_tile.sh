#!/usr/bin/env bash
# fpga/synth_tile.sh BUILD: places and routes one tile (fpga/tile_top.sv) for an ECP5-85F of the slowest grade, and prints
# its size and speed. Minutes; the logs are in BUILD/synth. SRAM_KIB=36 is the memory of the tile, SEED=1 the placer's seed.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 kib=${SRAM_KIB:-36} out=$1/synth/tile

# shellcheck source=fpga/flow
. fpga/flow
synthesize tile_top "$out" -G "SramKib=$kib"
place "$out" 60 --seed "${SEED:-1}"
python3 fpga/report.py "$out" "one tile, $kib KiB of SRAM, on an ECP5-85F, with the registers around it (fpga/tile_top.sv)"
