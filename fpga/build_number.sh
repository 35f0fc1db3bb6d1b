#!/usr/bin/env bash
# fpga/build_number.sh BUILD NAME [KEY=VALUE...]: the build number of a board's bitstream, 16 hexadecimal digits: a hash
# of the RTL, except for the modules of a simulator alone, with its tables, of the scripts and versions of the tools
# that make gates of it, of the board's pins, and of all keys of the board that change gates. Seeds, titles, cables and
# network addresses do not count. ABOUT reports the number.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
shift
assignments=$(python3 fpga/board.py "$@")
# shellcheck disable=SC2034
weft_no_yosys=1
# shellcheck source=fpga/flow
. fpga/flow
# shellcheck disable=SC2154
hash=$(cat "${weft_packages[@]}" "${weft_headers[@]}" "${weft_modules[@]}" fpga/ecp5_cells.v fpga/flow fpga/carry.v fpga/trim.py fpga/make_board.sh \
  "fpga/boards/$1/pins.lpf" - <<<"$(grep '^pinned=' scripts/setup)
$(grep -vE '^board_(title|seeds|cables|ip|mac|ip_hex|mac_hex)=' <<<"$assignments")" | sha256sum)
echo "${hash:0:16}"
