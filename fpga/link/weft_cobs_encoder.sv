// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Stuffs frames for a line on which a byte 0 ends each frame: consistent overhead byte stuffing, blocks of at most 254
/// bytes.
///
/// A block must be complete before its length is known, so a frame needs two cycles a byte, and the line idles for one
/// cycle per byte of a block.
///
/// Latency: a block and 2 cycles.
module weft_cobs_encoder
  import weft_link_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_i,
  input  logic       valid_i,
  input  beat_t      beat_i,
  output logic       ready_o,
  output logic       valid_o,
  output logic [7:0] data_o,
  input  logic       ready_i,
  output logic       busy_o
);

  typedef enum logic [1:0] {Collect, Length, Bytes, End} state_e;

  state_e     state_q;
  logic [7:0] count_q;  // bytes of the block
  logic [7:0] at_q;     // number of bytes sent
  logic       last_q;   // the block is the frame's last
  logic       full_q;   // the previous block was full, so no 0 is between
  logic       begun_q;  // a block of the frame has been sent

  (* no_rw_check *) logic [7:0] block_q [256];
  logic [7:0] read_q, at_d;
  logic       take, send;

  assign ready_o = state_q == Collect;
  assign take    = valid_i && ready_o;
  assign send    = ready_i && state_q != Collect;
  assign valid_o = state_q != Collect;
  assign busy_o  = state_q != Collect || begun_q || count_q != '0;

  always_comb begin
    unique case (state_q)
      Length:  data_o = count_q + 1'b1;
      Bytes:   data_o = read_q;
      default: data_o = '0;
    endcase
  end

  assign at_d = state_q == Bytes && send ? at_q + 1'b1 : at_q;

  always_ff @(posedge clk_i) begin
    if (take && !beat_i.last) block_q[count_q] <= beat_i.data;
  end
  always_ff @(posedge clk_i) read_q <= block_q[at_d];

  always_ff @(posedge clk_i) begin
    at_q <= at_d;
    if (rst_i) begin
      state_q <= Collect;
      count_q <= '0;
      full_q  <= 1'b0;
      begun_q <= 1'b0;
    end else begin
      unique case (state_q)
        Collect: begin
          at_q <= '0;
          if (take) begin
            last_q <= beat_i.last;
            if (beat_i.last) begin
              state_q <= full_q && count_q == '0 ? End : Length;
            end else if (beat_i.data == '0) begin
              state_q <= Length;
            end else begin
              count_q <= count_q + 1'b1;
              if (count_q == 8'd253) state_q <= Length;
            end
          end
        end
        Length: if (send) begin
          full_q  <= count_q == 8'd254;
          begun_q <= 1'b1;
          if (count_q != '0) state_q <= Bytes;
          else state_q <= last_q ? End : Collect;
        end
        Bytes: if (send && at_d == count_q) begin
          count_q <= '0;
          state_q <= last_q ? End : Collect;
        end
        End: if (send) begin
          state_q <= Collect;
          full_q  <= 1'b0;
          begun_q <= 1'b0;
        end
      endcase
    end
  end

endmodule
