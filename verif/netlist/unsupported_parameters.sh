#!/usr/bin/env bash
# verif/netlist/unsupported_parameters.sh: tests that a cell model rejects a parameter it does not model.
set -euo pipefail
cd "$(dirname "$0")/cells"

elaborates() {  # CELL PARAMETER=VALUE...
  local cell=$1
  shift
  verilator --lint-only -Wno-fatal -Wno-lint -Werror-USERERROR --top-module "$cell" "${@/#/-G}" "${cell,,}.v" 2>&1
}
right=0
right_ones=''  # the cell and the parameters that were last found right
rejects() {  # CELL THE_WRONG_ONE THE_RIGHT_ONES...
  local cell=$1 wrong=$2
  shift 2
  if [ "$right_ones" != "$cell $*" ]; then
    elaborates "$cell" "$@" >/dev/null || { echo "unsupported_parameters: $cell with $*, which is right" >&2 && exit 1; }
    right_ones="$cell $*"
  fi
  said=$(elaborates "$cell" "$@" "$wrong") || true
  grep -q "USERERROR.*$cell:" <<<"$said" || { echo "unsupported_parameters: $cell takes $wrong" >&2 && exit 1; }
  right=$((right + 1))
}
ram=('GSR="DISABLED"' 'WRITEMODE_A="READBEFOREWRITE"')
for wrong in 'REGMODE_A="OUTREG"' 'REGMODE_B="OUTREG"' 'CSDECODE_A="0b001"' 'CSDECODE_B="0b001"' 'CLKAMUX="INV"' 'CLKBMUX="INV"' \
  'GSR="ENABLED"' 'RESETMODE="NONE"' 'WRITEMODE_A="WRITETHROUGH"' DATA_WIDTH_A=9 DATA_WIDTH_B=36; do
  rejects DP16KD "$wrong" "${ram[@]}"
done
for wrong in REG_{INPUTA,INPUTB,INPUTC,PIPELINE,OUTPUT}_CLK='"CLK0"' 'HIGHSPEED_CLK="CLK0"' 'CAS_MATCH_REG="TRUE"' 'SOURCEB_MODE="C_SHIFT"' \
  'MULT_BYPASS="ENABLED"'; do
  rejects MULT18X18D "$wrong"
done
for wrong in 'GSR="ENABLED"' 'CEMUX="INV"' 'CLKMUX="INV"' 'LSRMUX="INV"' 'SRMODE="ASYNC"' 'REGSET="NONE"'; do
  rejects TRELLIS_FF "$wrong" 'GSR="DISABLED"'
done
for wrong in 'WCKMUX="INV"' 'WREMUX="INV"' INITVAL=1; do rejects TRELLIS_DPR16X4 "$wrong"; done
rejects CCU2C 'INJECT1_0="YES"' 'INJECT1_0="NO"' 'INJECT1_1="NO"'
rejects CCU2C 'INJECT1_1="YES"' 'INJECT1_0="NO"' 'INJECT1_1="NO"'
echo "unsupported_parameters: $right parameters that are not modelled"
