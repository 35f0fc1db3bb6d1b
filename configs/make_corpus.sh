#!/bin/sh
# Makes configs/corpus.txt, the text that the configurations here train on, from this repository's own C++. The
# file is frozen: loss curves in tests and documentation belong to its exact bytes, so run this only to freeze a new one,
# and `make parity` after it.
#
# C++ alone, because a step's samples lie side by side in the text: between prose, tables and code, the loss of a small
# model jumps from step to step. ASCII printable characters and newlines only: at most 96 different ones.
set -eu
cd "$(dirname "$0")/.."

git ls-files 'host/*.cpp' 'sw/*.cpp' | LC_ALL=C sort |
  while read -r file; do
    cat "$file"
    echo
  done | LC_ALL=C tr -cd '\n -~' | cat -s >configs/corpus.txt

characters=$(LC_ALL=C fold -w 1 configs/corpus.txt | LC_ALL=C sort -u | wc -l)
echo "configs/corpus.txt: $(wc -c <configs/corpus.txt) bytes, about $characters different characters"
