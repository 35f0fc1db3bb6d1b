// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The types that the sequencers share with their parts (pe_main_seq, pe_psum_seq).
/* verilator lint_off UNUSEDPARAM */  // no module uses all of a package
package weft_pe_seq_pkg;

  /// State of main's sequencer; from MsVf on it has a beat.
  typedef enum logic [3:0] {
    MsIdle      = 4'd0,
    MsVaxsWait  = 4'd1,   // no weight yet
    MsVdotWait  = 4'd2,   // no group yet
    MsVf        = 4'd8,   // a beat of vf
    MsLd        = 4'd10,
    MsVaxs      = 4'd11,  // a beat of a weight
    MsVcr       = 4'd12,  // adds an entry
    MsVcrReset  = 4'd13,  // clears it
    MsVdot      = 4'd15   // a beat of an index of the group
  } main_state_e;

  /// Advance of the candidate's addresses.
  typedef enum logic [2:0] {
    MoveNext       = 3'd0,  // to the next words of the vector
    MoveRow        = 3'd1,  // to the next repetition
    MoveWeight     = 3'd2,  // to the next weight
    MoveInterleave = 3'd3,  // to the next weight, and to the next accumulator
    MoveGroup      = 3'd4,  // to a group's first index
    MoveStay       = 3'd5,  // not at all: the word to fetch has been fetched
    MoveIndex      = 3'd6,  // to the group's next index, same words
    MoveColumn     = 3'd7   // to the group's first index, next words
  } move_e;

  /// Addresses, strides and counts that an instruction of main begins with (pe_main_start, pe_main_address).
  typedef struct packed {
    logic [15:0] m;
    logic [15:0] b;
    logic [7:0]  c;
    logic [7:0]  c0;       // the first entry, for a new weight or group
    logic [15:0] d;        // the first result
    logic [15:0] row_d;    // ... of all rows
    logic [15:0] sta;
    logic [15:0] stb;
    logic [15:0] std;      // ... STR, if results go to the accumulator file
    logic [7:0]  str;
    logic [7:0]  vl;       // vector length; 0 means 256
    logic [7:0]  vl_last;  // that less 1
    logic        b_mem;    // b is in memory
    logic        b_word;   // ... a vector
    logic        to_mem;   // results go to memory
  } main_start_t;

  /// State of psum's sequencer.
  typedef enum logic [2:0] {
    PsIdle   = 3'd0,
    PsVs     = 3'd1,
    PsVb     = 3'd2,
    PsVrWait = 3'd3,  // no entry of MP yet
    PsVr     = 3'd4,
    PsGather = 3'd5,  // vs: words from the columns to the east, one column after the other
    PsSnd    = 3'd6,
    PsLd     = 3'd7
  } psum_state_e;

  /// Stream words a beat of psum's needs: none, one, two; NeedAll: a bf16 for each lane, if that is more.
  typedef enum logic [1:0] {
    NeedNone = 2'd0,
    NeedOne  = 2'd1,
    NeedTwo  = 2'd2,
    NeedAll  = 2'd3
  } need_e;

endpackage
/* verilator lint_on UNUSEDPARAM */
