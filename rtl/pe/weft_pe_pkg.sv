// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// A beat: the unit of work that sequencers send to the vector pipeline (docs/reference/pe.md, Pipeline).
/* verilator lint_off UNUSEDPARAM */  // no module uses all of a package
package weft_pe_pkg;

  /// Cycles from a beat's issue to its write.
  localparam int unsigned BeatLatency = 7;

  /// Cycles that a beat's lanes need to go through the table units: two units, or one for every four lanes.
  function automatic int unsigned table_steps(input int unsigned lanes);
    return (lanes > 8) ? 4 : lanes / 2;
  endfunction

  /// Cycles from issue to write of a beat with a table function.
  function automatic int unsigned table_latency(input int unsigned lanes);
    return BeatLatency + 2 + table_steps(lanes);
  endfunction

  /// Address bits by which beats in flight are compared: a false match costs some cycles, never a result.
  localparam int unsigned KeyBits = 7;

  typedef logic [KeyBits-1:0] key_t;

  /// Source of a lane's bf16 operand a.
  typedef enum logic [1:0] {
    BeatAMem    = 2'd0,
    BeatAScalar = 2'd1,
    BeatAOneHot = 2'd2,  // 1.0 where memory equals the scalar
    BeatAStream = 2'd3   // stream words: a bf16 for each lane, or the fp32 x of lanes 0 and 1
  } beat_a_e;

  /// Source of a lane's bf16 operand b.
  typedef enum logic [2:0] {
    BeatBScalar  = 3'd0,
    BeatBReg     = 3'd1,  // accumulator file, rounded
    BeatBElement = 3'd2,  // one element of memory for all lanes
    BeatBA       = 3'd3,  // operand a
    BeatBMem     = 3'd4   // a word of memory, or BeatCMem has it
  } beat_b_e;

  /// Source of a lane's fp32 operand c.
  typedef enum logic [2:0] {
    BeatCZero    = 3'd0,
    BeatCNegZero = 3'd1,  // -0, which adds to every bf16 without changing it
    BeatCReg     = 3'd2,  // accumulator file
    BeatCA       = 3'd3,  // operand a
    BeatCScalar  = 3'd4,
    BeatCMem     = 3'd5   // word that b read, widened
  } beat_c_e;

  typedef enum logic [1:0] {
    DestNone = 2'd0,
    DestReg  = 2'd1,
    DestMem  = 2'd2
  } dest_e;

  // A beat in four parts, by the time they are needed: each stage keeps the rest. Psum's fp32 work is done in lanes 0
  // and 1 for one pair of an entry's lanes at a time: pair p is lanes 2p and 2p + 1.

  /// Number of a pair, of at most 16 lanes.
  typedef logic [2:0] pair_t;

  /// Reads of a beat, for the interlock.
  typedef struct packed {
    logic  m_re;   // memory for a
    logic  n_re;   // memory for b or c, in the other half
    logic  b_re;   // the accumulator file for b
    logic  c_re;   // the accumulator file for c, a cycle later; then lanes.c is BeatCReg
    logic  c_one;  // only pair finish.pair of that entry
    logic  fma;    // counts as multiply-adds
  } beat_read_t;

  /// Selection of operands a and b.
  typedef struct packed {
    beat_a_e  a;
    beat_b_e  b;
    logic     fetch;  // fetches b's word ahead, computes nothing
    logic     held;   // b's word has been fetched
    logic     ld;     // fetches for the scalar core, computes nothing
  } beat_select_t;

  /// Operation of the lanes.
  typedef struct packed {
    beat_c_e                 c;
    logic                    use_x;  // lanes 0 and 1 take an fp32 x instead of a * b
    logic                    sum;    // x and c are neighbours of one entry: pairs 2p and 2p + 1 become pair p
    logic                    low;    // ... pairs 0 and 1 do, whatever pair that is
    weft_num_pkg::lane_op_e  op;
    weft_num_pkg::sfu_fn_e   fn;
    logic                    early;  // sends the raw operand a, not results
  } beat_lanes_t;

  /// Destination of the result.
  typedef struct packed {
    logic              sfu;    // a table function comes first
    dest_e             dest;
    logic              d_one;  // only `pair` is written, by lanes 0 and 1
    pair_t             pair;   // the pair that lanes 0 and 1 work for
    logic [1:0]        sends;  // results sent: 0, 1, 2
    logic              early;  // ... the raw operand a of all lanes instead, already at t+3
    weft_pkg::color_t  cout;
  } beat_end_t;

  typedef struct packed {
    beat_read_t    read;
    beat_select_t  select;
    beat_lanes_t   lanes;
    beat_end_t     finish;
  } beat_t;

  /// A beat's addresses. Memory is addressed in elements: m and, if b is there, b.
  typedef struct packed {
    logic [15:0] m;
    logic [15:0] b;
    logic [7:0]  c;
    logic [15:0] d;
  } beat_addr_t;

  /// A candidate: the beat of a sequencer that is the next to issue.
  typedef struct packed {
    logic       valid;
    beat_t      beat;
    beat_addr_t addr;
  } candidate_t;

  /// Scalar operands of main's beats.
  typedef struct packed {
    logic [15:0] a;
    logic [15:0] b;
    logic [15:0] c;
  } scalars_t;

  /// Position of the tile, constant: row and rows, column and columns, columns to its east.
  typedef struct packed {
    weft_pkg::coordinate_t row;
    weft_pkg::coordinate_t rows;
    weft_pkg::coordinate_t col;
    weft_pkg::coordinate_t cols;
    weft_pkg::coordinate_t east;
  } place_t;

  /// An instruction for a sequencer, with the registers it names in its operand fields a, b, c and d. psum has a and b.
  typedef struct packed {
    logic [31:0] word;
    logic [15:0] a;
    logic [15:0] b;
    logic [15:0] c;
    logic [15:0] d;
  } request_t;

  /// An instruction for psum's sequencer.
  typedef struct packed {
    logic [31:0] word;
    logic [15:0] a;
    logic [15:0] b;
  } psum_request_t;

  /// The control registers that sequencers capture. A VL of 0 means 256.
  typedef struct packed {
    logic [7:0]  main_vl;
    logic [7:0]  psum_vl;
    logic [15:0] rep;
    logic [15:0] sta;
    logic [15:0] stb;
    logic [15:0] std;
    logic [15:0] idx;
    logic [15:0] lmask;
    logic [7:0]  str;
  } controls_t;

  /// An entry of the handoff queue MP.
  typedef struct packed {
    logic       empty;  // its accumulators had no weight: they count as +0
    logic       last;
    logic [4:0] count;
  } mp_t;

  /// Number of one of the three rotating buffers of MP's entries.
  typedef logic [1:0] buffer_t;
  function automatic buffer_t next_buffer(input buffer_t buffer);
    return buffer[1] ? '0 : buffer + 2'd1;
  endfunction

  /// State of the handoff queues (pe_handoff): MP from main to psum, PM from psum to main, two entries each.
  typedef struct packed {
    logic [1:0] mp_count;        // entries
    logic [1:0] pm_count;
    buffer_t    mp_put_buffer;   // the rotating buffer that main fills,
    buffer_t    mp_take_buffer;  // and the one that psum empties
    logic       mp_filled;       // something has gone into the one that main fills
    logic       pm_put_par;      // PM's double buffers: the one that psum fills,
    logic       pm_take_par;     // and the one that main reads
  } handoff_t;

  /// Moves of the queues by main's sequencer: an entry of MP is put, an entry of PM is taken.
  typedef struct packed {
    logic mp_fill;   // something goes into the buffer of the next entry
    logic mp_put;
    mp_t  mp_entry;
    logic pm_take;
  } main_handoff_t;

  /// Reasons why main's sequencer has no candidate.
  typedef struct packed {
    logic handoff;  // room in MP, an entry of PM
    logic weight;   // a message of W, or its way to the candidate
    logic lacks_w;  // no progress without another message of W
  } main_wait_t;

  typedef enum logic [2:0] {
    MainIdle = 3'd0,
    MainVf   = 3'd1,
    MainVaxs = 3'd2,
    MainVcr  = 3'd3,
    MainVdot = 3'd4,
    MainLd   = 3'd5
  } main_mode_e;

  typedef enum logic [2:0] {
    PsumIdle   = 3'd0,
    PsumVs     = 3'd1,
    PsumVb     = 3'd2,
    PsumVr     = 3'd3,
    PsumGather = 3'd4,
    PsumSnd    = 3'd5,
    PsumLd     = 3'd6
  } psum_mode_e;

  /// Raw state of the threads, for hang reports and traces.
  typedef struct packed {
    logic              main_active;   // main's core runs
    logic [9:0]        main_pc;
    main_mode_e        main_mode;     // the kind of instruction in main's sequencer
    logic [9:0]        main_seq_pc;   // the instruction it works on, or the last one
    logic              main_beat;     // main's sequencer has a beat to issue
    logic              w_nonempty;    // a message of W waits
    logic              psum_active;
    logic [9:0]        psum_pc;
    psum_mode_e        psum_mode;
    logic [9:0]        psum_seq_pc;
    logic              psum_beat;
    logic [1:0]        psum_need;     // stream words its beat needs; 2: two or more
    weft_pkg::color_t  psum_color;    // the color it reads
    logic              psum_front;    // a message of that color waits
    logic [1:0]        mp_count;      // entries in MP, PM
    logic [1:0]        pm_count;
    logic              out_full;      // the out queue has no room
  } dbg_t;

  /// Stall reasons that main and psum both can have (pe_stall_reason), as bits.
  localparam logic [15:0] BothStallReasons =
      16'd1 << weft_isa_pkg::STALL_ISSUED | 16'd1 << weft_isa_pkg::STALL_SCALAR | 16'd1 << weft_isa_pkg::STALL_HANDOFF
      | 16'd1 << weft_isa_pkg::STALL_MEMORY | 16'd1 << weft_isa_pkg::STALL_HAZARD | 16'd1 << weft_isa_pkg::STALL_TABLE;
  localparam logic [15:0] MainStallReasons =
      BothStallReasons | 16'd1 << weft_isa_pkg::STALL_OTHER | 16'd1 << weft_isa_pkg::STALL_WEIGHT | 16'd1 << weft_isa_pkg::STALL_COMMAND
      | 16'd1 << weft_isa_pkg::STALL_JOIN;
  localparam logic [15:0] PsumStallReasons =
      BothStallReasons | 16'd1 << weft_isa_pkg::STALL_PSUM | 16'd1 << weft_isa_pkg::STALL_CREDIT | 16'd1 << weft_isa_pkg::STALL_ASLEEP;

  /// Selects the counter of pe_perf's last record to read.
  typedef struct packed {
    logic        shift;  // shift out the counter's next bit in the next cycle
    logic        psum;   // the thread
    logic [3:0]  stall;  // weft_isa_pkg's stall_e
  } tally_read_t;

  /// The last record of pe_perf.
  typedef struct packed {
    logic        next;      // the next bit of the selected counter, in the built form
    logic        fresh;     // the record is complete since this cycle
    logic        overflow;  // the phase was longer than a counter can hold
    logic [15:0] tag;       // tag of the MARK that ended the phase
    logic [31:0] main;      // in simulation: both threads' counters of the stall reason
    logic [31:0] psum;
  } tally_t;

endpackage
/* verilator lint_on UNUSEDPARAM */
