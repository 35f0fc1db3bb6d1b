# Entry point of the build. `make help` lists the targets; CMake and Ninja do the work in $(BUILD). Set these variables
# on the command line, `make BUILD=/scratch/weft build`. The environment does not set them: a shell often has a BUILD,
# DEVICE or OUT of its own.
BUILD      = build
JOBS      := $(shell nproc)
CONFIG     = gpt_tiny.yaml
NUM_CSX    = 1
NUM_STEPS  = 20
BACKEND    = rtl
# Device for BACKEND=fpga: /dev/ttyUSB0 or udp:ADDRESS:PORT; empty: an emulated board.
DEVICE     =
MODEL_DIR  = out/$(basename $(notdir $(CONFIG)))
# Selection for `make waves`.
STEP       = 1
PHASE      = h.0.attn.c_attn.q
TILE       = 0,0
WAFER      = 0
CYCLES     =
OUT        = out/waves
PNG        =
PROFILE    =
# Boards whose bitstreams `make release` collects; empty: all boards.
BOARDS     =
# Board and mesh for `make fpga`, and seeds of the placer.
BOARD      = ulx3s
MESH       =
SEEDS      =
# Options of `make flash` (FLASH=1 writes the flash; BIT and CABLE override those found) and `make package` (TRY=1).
FLASH      =
BIT        =
CABLE      =
TRY        =
# Baseline commit of `make bench-against`.
COMMIT     = edb18cd
# Debian's Python, for which PyTorch is packaged.
PYTHON     = /usr/bin/python3
# Additional widths of the simulated RTL: any of 2, 8, 16.
LANES      =
# Widths of the simulated RTL of general tiles: any of 2, 4, 8, 16.
GENERAL    =
export LANES GENERAL SEEDS
# Target, start and file, with which scripts/timed records the times of the target's parts; empty for other targets, and
# for a make that a test calls.
TIMED     := $(if $(WEFT_UNTIMED),,$(firstword $(filter sim test test-long,$(MAKECMDGOALS))))
export WEFT_TIMES := $(if $(TIMED),$(TIMED) $(shell date +%s) $(BUILD)/times.tsv)
# Configuration file: one of configs/, or a path.
empty     :=
space     := $(empty) $(empty)
PARAMS     = $(if $(wildcard configs/$(subst $(space),\ ,$(CONFIG))),configs/)$(CONFIG)
ifeq ($(strip $(BUILD)),)
$(error BUILD is empty. HINT: leave it out, or name a folder: make BUILD=/scratch/weft)
endif

.DEFAULT_GOAL := help
hash := \#
# All targets that `make help` lists, and the old names at the end of this file.
.PHONY: $(shell sed -n 's/^\([a-z0-9-]*\):.*$(hash)$(hash) .*/\1/p' $(MAKEFILE_LIST)) deals hunt look

##@ Build and train

build:  ## compile the program, build/weft, with all formats; LANES=8 adds RTL with 8 lanes, GENERAL=4 general tiles
	@scripts/setup formats
	@scripts/build "$(BUILD)" $(JOBS) weft weft-asm

library: build  ## also compile build/libweft.so and libweft-c.so, for C++ and C programs of your own (cmake --install build; docs/reference/python.md)
	@scripts/build "$(BUILD)" $(JOBS) weft_shared weft_c

board: build  ## also compile the emulated boards, build/weft-board and build/weft-program-board
	@scripts/build "$(BUILD)" $(JOBS) weft-board weft-program-board

# Build in the lanes of the configuration's wafer.
comma := ,
BACKENDS = $(subst $(comma), ,$(BACKEND))
sim: LANES = $(if $(filter rtl,$(BACKENDS)),$(filter 2 8 16,$(shell sed -n 's/.*\blanes: *\([0-9]*\).*/\1/p' "$(PARAMS)")))
sim: BACKEND = $(or $(shell sed -n 's/^ *backend: *\([a-z,]*\).*/\1/p' "$(PARAMS)"),rtl)
sim:  ## train: CONFIG=gpt_tiny.yaml NUM_CSX=1 NUM_STEPS=20 BACKEND=the file's, else rtl (model, fpga, rtl,model) MODEL_DIR=out/gpt_tiny DEVICE=
# Without the libraries that only some formats need: a folder that has them keeps them.
	@scripts/setup
	@scripts/build "$(BUILD)" $(JOBS) weft
	@$(if $(filter fpga,$(BACKENDS)),$(if $(filter-out emulated%,$(DEVICE)),,scripts/build "$(BUILD)" $(JOBS) weft-board))
	scripts/timed "train $(NUM_STEPS)" "$(BUILD)/weft" run --params "$(PARAMS)" --num_csx $(NUM_CSX) --model_dir "$(MODEL_DIR)" \
	  --num_steps $(NUM_STEPS) --mode train --backend $(BACKEND) $(if $(DEVICE),--fpga.device "$(DEVICE)")

##@ Test

test:  ## build and run all tests except the long ones
	@scripts/setup picture
	@BUILD="$(BUILD)" PYTHON="$(PYTHON)" scripts/setup interop
	@BUILD="$(BUILD)" PYTHON="$(PYTHON)" scripts/setup tensorboard
	@BUILD="$(BUILD)" PYTHON="$(PYTHON)" scripts/setup python
	@PYTHON="$(PYTHON)" scripts/setup plot
	@BUILD="$(BUILD)" scripts/setup formal
	@scripts/test "$(BUILD)" $(JOBS) -LE long

test-long: LANES = 2 4 8 16
test-long: GENERAL = 4
test-long:  ## build and run all tests, including those that take many minutes
	@scripts/setup fuzz
	@scripts/setup slurm
	@scripts/setup picture
	@BUILD="$(BUILD)" PYTHON="$(PYTHON)" scripts/setup interop
	@BUILD="$(BUILD)" PYTHON="$(PYTHON)" scripts/setup interop_current
	@BUILD="$(BUILD)" PYTHON="$(PYTHON)" scripts/setup tensorboard
	@BUILD="$(BUILD)" PYTHON="$(PYTHON)" scripts/setup python
	@PYTHON="$(PYTHON)" scripts/setup plot
	@BUILD="$(BUILD)" scripts/setup verilator
	@BUILD="$(BUILD)" scripts/setup promtool
	@BUILD="$(BUILD)" scripts/setup ip
	@BUILD="$(BUILD)" scripts/setup actionlint
	@BUILD="$(BUILD)" scripts/setup reuse
	@BUILD="$(BUILD)" scripts/setup mkdocs
	@BUILD="$(BUILD)" scripts/setup icarus
	@BUILD="$(BUILD)" scripts/setup formal
	@scripts/setup text
	@scripts/build "$(BUILD)" $(JOBS) weft-netlist-record
	@WEFT_LONG_TESTS=1 WEFT_SKIP=1 scripts/test "$(BUILD)" $(JOBS)

test-distributions:  ## build weft in Debian 12 and 13 with several compilers and Verilators and train there (an hour of a core); as root
	@BUILD="$(BUILD)" scripts/setup distributions
	@scripts/distributions "$(BUILD)" $(JOBS)

test-container:  ## run the steps of the Dockerfile, and both of its commands, in a fresh Debian 12 (an hour); as root
	@BUILD="$(BUILD)" scripts/setup distributions
	@scripts/container_try "$(BUILD)"

test-aarch64:  ## cross-compile weft for aarch64, test its arithmetic under qemu-user and train two steps with x86's bits (minutes)
	@BUILD="$(BUILD)" scripts/setup aarch64
	@scripts/aarch64 "$(BUILD)" $(JOBS)

test-text: build  ## compare the tokens of 50 MB of this machine's text with those of tokenizers and sentencepiece (minutes)
	@scripts/text "$(BUILD)" compare
	@scripts/text "$(BUILD)" steps
	@scripts/text "$(BUILD)" sentence_piece

sanitize:  ## run the tests of host, sw and model under the sanitizers, and two wafers of RTL (hours)
	@scripts/sanitize "$(BUILD)" $(JOBS)

times:  ## show the times of the parts of the last `make sim` and `make test`, and of files and tests
	@scripts/times "$(BUILD)"

expected-hashes: build  ## rewrite the state hashes in tests and documents, after an intended change of bits
	@scripts/expected_hashes --weft "$(BUILD)/weft"

##@ Look inside a run

inspect: LANES = $(if $(wildcard $(subst $(space),\ ,$(PARAMS))),$(filter 2 8 16,$(shell sed -n 's/.*\blanes: *\([0-9]*\).*/\1/p' "$(PARAMS)")))
inspect:  ## compile build/weft and build/weft-inspect, the program of the inspection commands
	@scripts/setup
	@scripts/build "$(BUILD)" $(JOBS) weft weft-inspect

waves: inspect  ## show the signals of tiles in a phase in GTKWave: STEP=1 PHASE=h.0.attn.c_attn.q (or list) TILE=0,0 CYCLES= WAFER=0 OUT=out/waves PNG=
# Exit code 1 means that the RTL differs from the model, which the user then wants to see.
	@"$(BUILD)/weft" waves --params "$(PARAMS)" --model_dir "$(MODEL_DIR)" --step $(STEP) --phase $(PHASE) --tile $(TILE) \
	  --wafer $(WAFER) --out "$(OUT)" $(if $(CYCLES),--cycles $(CYCLES)) || [ $$? = 1 ] || exit 2; \
	  $(if $(filter list,$(PHASE)),,BUILD="$(BUILD)" scripts/show_waves "$(OUT)" $(if $(PNG),"$(PNG)"))

debug: inspect  ## step through a phase, forwards and backwards: STEP=1 PHASE=h.0.attn.c_attn.q WAFER=0 BACKEND=rtl (or model)
	@scripts/setup debug && scripts/build "$(BUILD)" $(JOBS) weft-inspect
	@"$(BUILD)/weft" debug --params "$(PARAMS)" --model_dir "$(MODEL_DIR)" --step $(STEP) --phase $(PHASE) --wafer $(WAFER) \
	  --backend $(BACKEND)

profile: inspect  ## show where the cycles of a micro-batch go: CONFIG= BACKEND=fpga DEVICE=; PROFILE=out/profile adds pictures and a trace for Perfetto
# Reconfigure a build folder that was configured before cairo was installed.
	@$(if $(PROFILE),BUILD="$(BUILD)" scripts/setup inspect)
	@$(if $(PROFILE),grep -qs 'WEFT_CAIRO_LIBRARY:.*/libcairo' "$(BUILD)/CMakeCache.txt" || rm -f "$(BUILD)/build.ninja")
	@$(if $(PROFILE),scripts/build "$(BUILD)" $(JOBS) weft-inspect)
	@$(if $(PROFILE),mkdir -p "$(PROFILE)")
	@$(if $(filter fpga,$(BACKENDS)),$(if $(filter-out emulated%,$(DEVICE)),,scripts/build "$(BUILD)" $(JOBS) weft-board))
	@"$(BUILD)/weft" profile --params "$(PARAMS)" --model_dir "$(MODEL_DIR)" --backend $(BACKEND) \
	  $(if $(DEVICE),--fpga.device "$(DEVICE)") $(if $(PROFILE),--png "$(PROFILE)" \
	  --json "$(PROFILE)/profile.json" --perfetto "$(PROFILE)/profile.perfetto")

check: inspect  ## prove the compiled program of CONFIG= deadlock-free, or show the deadlock cycle
	@"$(BUILD)/weft" check --params "$(PARAMS)"

debug-demo:  ## inject an old bug into a clone of this tree and run docs/tutorials/debug_a_bit_mismatch.md, command by command (minutes)
	@scripts/setup picture
	@scripts/debug_demo "$(BUILD)"

##@ Verify the RTL

lint:  ## lint the RTL with Verilator's -Wall and yosys' strict reader, with every module as top
	@BUILD="$(BUILD)" scripts/setup lint
	@scripts/lint "$(BUILD)"

formal:  ## prove properties of the fabric and the west edge, and the two forms of a lane equal: docs/explanation/verification.md (minutes)
	@BUILD="$(BUILD)" scripts/setup formal
	@scripts/formal "$(BUILD)" $(JOBS)

formal-guards:  ## remove guards from the RTL, one at a time, and check that the named proof fails (minutes)
	@BUILD="$(BUILD)" scripts/setup formal
	@scripts/formal "$(BUILD)" $(JOBS) --guards

icarus:  ## repeat runs of the Verilated wafer in Icarus Verilog, a second simulator: verif/icarus (minutes)
	@BUILD="$(BUILD)" scripts/setup icarus
	@scripts/build "$(BUILD)" $(JOBS) weft-icarus-record
	@scripts/icarus "$(BUILD)" $(JOBS) --seeds 2 --fabrics 1
	@scripts/icarus "$(BUILD)" $(JOBS) --mutants

netlist:  ## run phases of gpt_tiny on yosys' netlist of a tile and compare with the RTL cycle by cycle: verif/netlist (minutes)
	@BUILD="$(BUILD)" scripts/setup lint
	@scripts/build "$(BUILD)" $(JOBS) weft-netlist-record
	@scripts/netlist "$(BUILD)" $(JOBS) cells
	@PHASES=all scripts/netlist "$(BUILD)" $(JOBS) phases 0,0 1,1 3,3
	@scripts/netlist "$(BUILD)" $(JOBS) mutants

##@ Synthesize, run on a board

synth:  ## place and route one tile for an ECP5-85F; print its size and speed (minutes)
	@BUILD="$(BUILD)" scripts/setup lint
	@fpga/synth_tile.sh "$(BUILD)"

synth-wafer:  ## place and route a whole mesh without a link, ROWS=2 COLS=4 (most of an hour)
	@BUILD="$(BUILD)" scripts/setup lint
	@fpga/synth_wafer.sh "$(BUILD)"

fpga:  ## build the bitstream of a board: BOARD=ulx3s, MESH="rows=2 cols=2" for another mesh, SEEDS="5 6" for other placements (hours)
	@BUILD="$(BUILD)" scripts/setup lint
	@fpga/make_board.sh "$(BUILD)" $(BOARD) $(MESH)

fpga-record:  ## write the sizes and clocks of what `make fpga` has built, BOARD=ulx3s, to bench/results and the tables of docs; BOARD=tile after `make synth`
	@"$(PYTHON)" fpga/record.py "$(BUILD)" $(BOARD)
	@"$(PYTHON)" bench/pages.py --tables fpga_$(BOARD)

flash:  ## load the bitstream of BOARD= into the board at USB until it loses power; FLASH=1 writes its flash memory; BIT=, CABLE= select others
	@scripts/setup flash
	@fpga/flash.py "$(BUILD)" $(BOARD) $(if $(BIT),--bit "$(BIT)") $(if $(CABLE),--cable="$(CABLE)") $(if $(FLASH),--keep)

##@ Measure

bench: build  ## build and run the benchmarks
	@PYTHON="$(PYTHON)" scripts/build "$(BUILD)" $(JOBS) bench

bench-text: build  ## measure the speed of weft tokenize relative to the package tokenizers, in processor time
	@scripts/text "$(BUILD)" speed

bench-against: build  ## compare the processor time of a step of CONFIG= on BACKEND=rtl (or model) with COMMIT=edb18cd, in alternating runs (builds it: minutes)
	@scripts/bench_against "$(BUILD)/weft" $(COMMIT) --config $(CONFIG) --backend $(BACKEND)

# Measures RESULTS into bench/results, and writes their tables and pictures in docs.
define write_pages
	@PYTHON="$(PYTHON)" scripts/setup plot
	@scripts/build "$(BUILD)" $(JOBS) weft-bench
	@"$(PYTHON)" bench/measured.py $(RESULTS) -- "$(BUILD)/weft-bench" --results bench/results $(RESULTS) || [ $$? = 1 ]
	@"$(PYTHON)" bench/pages.py $(RESULTS)
endef

measure: RESULTS = attention_spread batch board cpu figure3 gemm layer memory micro_batch overlap placement programs slice swarm_loss \
  swarm_slow wafer weak_scaling
measure:  ## measure benchmarks for the tables of docs, and write them: RESULTS="batch board" (all: more than an hour)
	$(write_pages)

measure-commands: RESULTS = attention attention_estimates bounds configs generation hugging_face losses python recompute row_groups turn valves
measure-commands: inspect  ## measure with weft itself and its tests for the tables of docs, and write them: RESULTS="generation losses" (all: most of an hour)
	@BUILD="$(BUILD)" PYTHON="$(PYTHON)" scripts/setup interop
	@"$(PYTHON)" bench/command_results.py "$(BUILD)" $(RESULTS)
	@"$(PYTHON)" bench/pages.py --tables $(RESULTS)

plot: RESULTS = sparsity figure5
plot:  ## measure sparse weights on the RTL; write the tables and pictures of docs/explanation/sparsity.md (minutes)
	$(write_pages)

mask-updates: RESULTS = mask_update_costs mask_updates
mask-updates:  ## train with dynamic and static sparsity; write the tables and picture of docs/explanation/dynamic_sparsity.md (minutes)
	$(write_pages)

scaling: RESULTS = predictions
scaling:  ## compute the predictions of docs/explanation/scaling.md; write its tables and picture (minutes)
	$(write_pages)

picture: inspect  ## trace a tile, for the left half of README.md's picture (a minute)
	@PYTHON="$(PYTHON)" scripts/setup plot
	@scripts/setup wave
	@rm -rf "$(BUILD)/picture"
	@"$(BUILD)/weft" waves --params configs/gpt_tiny.yaml --model_dir "$(BUILD)/picture/none" --step 1 \
	  --phase h.0.attn.c_attn.q --tile 1,1 --cycles 990-1005 --out "$(BUILD)/picture/waves"
	@"$(PYTHON)" bench/readme_results.py "$(BUILD)/picture"
	@"$(PYTHON)" bench/pages.py readme trained_model

# NUM_STEPS counts only if it is set on the command line: its default is that of `make sim`.
TRIAL = $(filter-out 5000,$(if $(filter command,$(word 1,$(origin NUM_STEPS))),$(NUM_STEPS)))
trained-model: build  ## train gpt_shakespeare.yaml, also with PyTorch, for configs/shakespeare/model, README.md and docs/explanation/trained_model.md (two hours); NUM_STEPS=20 tries it
	@PYTHON="$(PYTHON)" scripts/setup parity
	@"$(PYTHON)" bench/trained_model.py "$(BUILD)/weft" out/gpt_shakespeare $(if $(TRIAL),--steps $(TRIAL))
	@$(if $(TRIAL),,"$(PYTHON)" bench/pages.py readme trained_model)

parity: build  ## train with PyTorch what Weft trains, for docs/explanation/parity.md and for the tests (minutes)
	@PYTHON="$(PYTHON)" scripts/setup parity
	@"$(PYTHON)" tests/reference/pytorch/parity.py "$(BUILD)/weft" "$(BUILD)/parity"
	@"$(PYTHON)" tests/reference/pytorch/options.py "$(BUILD)/weft" "$(BUILD)/parity"
	@"$(PYTHON)" tests/reference/pytorch/nudged.py "$(BUILD)/weft" "$(BUILD)/parity"
	@"$(PYTHON)" bench/pages.py --tables parity parity_options parity_nudged

##@ Document, package, keep tidy

docs:  ## build the documentation as a site with search: build/docs-site
	@BUILD="$(BUILD)" scripts/setup mkdocs
	@"$(BUILD)/mkdocs/bin/mkdocs" build --strict --site-dir "$(BUILD)/docs-site"
	@echo "docs: python3 -m http.server --directory $(BUILD)/docs-site shows the site at localhost:8000"

package:  ## build build/package/weft_*.deb for any x86-64-v3 processor (minutes); TRY=1 installs it in a fresh Debian and trains there
	@scripts/setup package
	@$(if $(TRY),scripts/setup package_try)
	@scripts/package "$(BUILD)" $(JOBS)
	@$(if $(TRY),scripts/package_try "$(BUILD)"/package/weft_*.deb)

release:  ## collect in build/release the .deb, the bitstreams of BOARDS= (default: all of fpga/boards), the udev rule, the trained model and their checksums (minutes)
	@scripts/setup package
	@scripts/release "$(BUILD)" check $(BOARDS)
	@scripts/package "$(BUILD)" $(JOBS)
	@scripts/release "$(BUILD)" collect $(BOARDS)

format:  ## clang-format all C++ sources in place
	@scripts/setup format
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

clean:  ## remove build/ (trained models in out/ stay)
	@scripts/clean "$(BUILD)"

help:  ## list the targets
	@echo "make TARGET [VARIABLE=value]"
	@awk -F ':[^#]*## ' '/^##@ /{print "\n" substr($$0, 5)} \
	  /^[a-z0-9-]+:[^#]*## /{ \
	    line = sprintf("  %-20s", $$1); count = split($$2, words, " "); \
	    for (i = 1; i <= count; i++) { \
	      if (length(line) + length(words[i]) > 118) {print line; line = sprintf("%22s", "")} \
	      line = line " " words[i] \
	    } \
	    print line \
	  }' $(MAKEFILE_LIST)

# Old names of targets.
look: inspect
deals: mask-updates
hunt: debug-demo
