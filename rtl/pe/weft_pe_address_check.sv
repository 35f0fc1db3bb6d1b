// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Checks the addresses of a cycle: a beat's reads and writes, and a command's write (docs/reference/pe.md, Edge
/// cases).
///
/// An address is beyond the end of SRAM if it is the size or more; addresses have 16 bits, so 128 KiB have no end. The
/// size counts KiB, which hold whole vectors, so checking a vector's first element is enough. A vector's address that
/// is not a multiple of `Lanes` is misaligned, and the memory ignores its low bits.
///
/// With AnyAddress no vector is misaligned. One that begins within a word ends in the next word, which is checked, too;
/// the next word behind the last of all addresses is the first. Each of the two may be beyond the end alone.
///
/// No state. Latency: none.
module weft_pe_address_check #(
  parameter int unsigned Lanes = 4,
  /// 1: vectors begin at any element.
  parameter int unsigned AnyAddress = 0
) (
  /// Size of the SRAM, 0 to 128.
  input  logic [7:0]  kib_i,
  // a beat reads a vector, or one element of it
  input  logic        read_i,
  input  logic        one_i,
  /* verilator lint_off UNUSEDSIGNAL */  // the offset within a KiB
  input  logic [15:0] raddr_i,
  // ... and for b another
  input  logic        n_read_i,
  input  logic        n_one_i,
  input  logic [15:0] n_addr_i,
  // a beat will write a vector
  input  logic        write_i,
  input  logic [15:0] waddr_i,
  // a command writes an element
  input  logic        c_write_i,
  input  logic [15:0] c_addr_i,
  /* verilator lint_on UNUSEDSIGNAL */
  // beyond the end: reads as 0, is not written
  output logic        read_beyond_o,
  output logic        n_beyond_o,
  output logic        write_beyond_o,
  output logic        c_beyond_o,
  // AnyAddress: so is the next word of a read
  output logic        read_next_beyond_o,
  output logic        n_next_beyond_o,
  // flags
  output logic        misaligned_o,
  output logic        bad_address_o
);

  localparam int unsigned LaneBits = $clog2(Lanes);

  // The read for a, the read for b, the write: a vector that begins within a word.
  logic [2:0] split;

  // 512 elements are a KiB.
  always_comb begin
    read_beyond_o  = 1'b0;
    n_beyond_o     = 1'b0;
    write_beyond_o = 1'b0;
    c_beyond_o     = 1'b0;
    split          = '0;
    if (read_i) begin
      read_beyond_o = {1'b0, raddr_i[15:9]} >= kib_i;
      split[0]      = ~one_i & (raddr_i[LaneBits-1:0] != '0);
    end
    if (n_read_i) begin
      n_beyond_o = {1'b0, n_addr_i[15:9]} >= kib_i;
      split[1]   = ~n_one_i & (n_addr_i[LaneBits-1:0] != '0);
    end
    if (write_i) begin
      write_beyond_o = {1'b0, waddr_i[15:9]} >= kib_i;
      split[2]       = waddr_i[LaneBits-1:0] != '0;
    end
    if (c_write_i) c_beyond_o = {1'b0, c_addr_i[15:9]} >= kib_i;
  end

  logic w_next_beyond;

  if (AnyAddress == 0) begin : gen_aligned
    assign misaligned_o       = split != '0;
    assign read_next_beyond_o = 1'b0;
    assign n_next_beyond_o    = 1'b0;
    assign w_next_beyond      = 1'b0;
  end else begin : gen_any
    /// The next word is beyond the end; `words`: an address without its lane.
    function automatic logic next_beyond(input logic [15:LaneBits] words, input logic [7:0] kib);
      return {1'b0, words[15:9] + 7'(words[8:LaneBits] == '1)} >= kib;
    endfunction

    assign misaligned_o       = 1'b0;
    assign read_next_beyond_o = split[0] & next_beyond(raddr_i[15:LaneBits], kib_i);
    assign n_next_beyond_o    = split[1] & next_beyond(n_addr_i[15:LaneBits], kib_i);
    assign w_next_beyond      = split[2] & next_beyond(waddr_i[15:LaneBits], kib_i);
  end

  assign bad_address_o = read_beyond_o | n_beyond_o | write_beyond_o | c_beyond_o
                         | read_next_beyond_o | n_next_beyond_o | w_next_beyond;

endmodule
