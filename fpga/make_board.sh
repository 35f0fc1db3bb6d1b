#!/usr/bin/env bash
# fpga/make_board.sh BUILD NAME [KEY=VALUE...]: the bitstream of a board (fpga/boards/NAME), in
# BUILD/fpga/NAME/weft.bit, and weft.build, which has its build number and mesh; prints its size and speed. It places
# with one seed after the other (the board's, or SEEDS="1 2 3 4") until one meets the clocks and its crossings between
# clocks keep their order (fpga/crossings.py); if none does there is no bitstream, nor if the PLL's words differ from
# those of one known to lock (fpga/pll_words.py). Eight tiles take an hour and more for each seed; logs are next to the
# bitstream.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 name=$2
shift 2
assignments=$(python3 fpga/board.py "$name" "$@")
eval "$assignments"
# shellcheck disable=SC2154
out=$build/fpga/$name mhz=$(printf '%d.%03d' $((board_clock / 1000)) $((board_clock % 1000)))
rm -f "$out/weft.bit" "$out/weft.build"

# shellcheck source=fpga/flow
. fpga/flow
# shellcheck disable=SC2034
weft_modules+=(fpga/ecp5_cells.v)
# shellcheck disable=SC2034
weft_defines="-D WEFT_ECP5$([ "$board_high_pin" = 0 ] || echo " -D WEFT_HIGH_PIN")"
number=$(fpga/build_number.sh "$build" "$name" "$@")
osc_mhz=$(printf '%d.%03d' $((board_oscillator / 1000)) $((board_oscillator % 1000)))
top=weft_on_board line=(-G "Divider=$board_divider") clocks=("$mhz" "$osc_mhz") crossings=0 detail=()
if [ "$board_link" = ethernet ]; then
  top=weft_on_board_ethernet clocks+=(125) crossings=4 detail=(--detailed-timing-report)
  line=(-G "Mac=48'h$board_mac_hex" -G "Ip=32'h$board_ip_hex" -G "RxDelay=$board_rx_delay" -G "TxDelay=$board_tx_delay")
fi
synthesize "$top" "$out" "${line[@]}" -G "Rows=$board_rows" -G "Cols=$board_cols" -G "SramKib=$board_sram_kib" -G "Debug=$board_debug" \
  -G "Tally=$board_tally" -G "Programs=$board_programs" -G "Khz=$board_clock" -G "LedsLow=$([ "$board_leds" = low ] && echo 1 || echo 0)" \
  -G "OscKhz=$board_oscillator" -G "PllIn=$board_pll_in" -G "PllLoop=$board_pll_loop" -G "PllOut=$board_pll_out" \
  -G "Build=64'h$number" -G "Name=128'h$(printf '%-16.16s' "$name" | od -An -v -tx1 | tr -d ' \n')"
wafer=i_top.i_board.i_wafer
python3 fpga/modules.py "$out" "PEs=$wafer.*i_pe" "routers=$wafer.*i_router" \
  "the rest of the wafer=$wafer" "link=i_top.i_board.i_link" "line=i_top.i_(line|ethernet)"
read -ra weft_device <<<"$board_device"
# shellcheck disable=SC2154
for seed in ${SEEDS:-$board_seeds}; do
  echo "fpga: placing with seed $seed, $(date +%H:%M)"
  if ! (place "$out" "$mhz" --seed "$seed" --lpf "fpga/boards/$name/pins.lpf" "${detail[@]}"); then
    echo "fpga: seed $seed was not placed and routed" >&2
    continue
  fi
  python3 fpga/report.py "$out" "$board_title, $board_rows x $board_cols tiles of $board_sram_kib KiB at $mhz MHz, seed $seed"
  crossed=yes
  [ "$crossings" = 0 ] || python3 fpga/crossings.py "$out" "$crossings" || crossed=no
  if python3 fpga/report.py "$out" --meets "${clocks[@]}" && [ $crossed = yes ]; then
    "$build/venv/bin/yowasp-ecppack" --compress --input "$out/config" --bit "$out/packed.bit"
    "$build/venv/bin/yowasp-ecpunpack" "$out/packed.bit" "$out/decoded"
    python3 fpga/pll_words.py "$out/decoded" "$board_pll_in" "$board_pll_loop" "$board_pll_out"
    mv "$out/packed.bit" "$out/weft.bit"
    cat >"$out/weft.build" <<END
build = $number
board = $name
title = $board_title
rows = $board_rows
cols = $board_cols
sram_kib = $board_sram_kib
khz = $board_clock
debug = $board_debug
tally = $board_tally
programs = $board_programs
seed = $seed
link = $board_link
baud = $board_baud
END
    [ "$board_link" = serial ] || echo "ip = $board_ip" >>"$out/weft.build"
    echo "fpga: $out/weft.bit; make flash BOARD=$name loads it"
    exit 0
  fi
done
echo "fpga: no seed meets ${clocks[*]} MHz with all crossings right, so there is no bitstream. HINT: other seeds (SEEDS=\"5 6 7 8\"), fewer tiles (MESH=\"rows=2 cols=2\") or a slower clock (MESH=clock=30000)" >&2
exit 1
