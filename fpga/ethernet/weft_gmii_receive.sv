// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Receives Ethernet frames from a PHY, a byte a cycle, and puts valid ones into a packet_fifo.
///
/// A frame is valid if its checksum is right, its length with the checksum is 64 to 1,518 bytes, the PHY reported no
/// error, and all of it found room. It is written as it arrives; its end is written in place of the checksum.
///
/// Latency: commit 3 cycles after a frame's last byte. Frames are 3 cycles apart, or more.
module weft_gmii_receive
  import weft_link_pkg::beat_t;
  import weft_eth_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_i,
  // from the PHY
  input  logic        valid_i,
  input  logic        error_i,
  input  logic [7:0]  data_i,
  // to packet_fifo
  output logic        write_o,
  output logic [10:0] offset_o,
  output beat_t       beat_o,
  output logic        commit_o,
  output logic [10:0] length_o,
  input  logic        full_i,
  output logic        busy_o
);

  typedef enum logic [2:0] {Gap, Preamble, Body, Check, Finish, Skip} state_e;

  localparam logic [7:0]  PreambleByte = 8'h55;
  localparam logic [7:0]  Begin        = 8'hd5;
  localparam logic [10:0] LeastFcs     = 11'(Shortest + FcsBytes);
  localparam logic [10:0] MostFcs      = 11'(Longest + FcsBytes);

  state_e      state_q;
  logic [10:0] count_q;  // bytes of the frame, at most MostFcs + 1
  logic [31:0] crc_q;
  logic        bad_q, sum_q, end_q;

  always_ff @(posedge clk_i) begin
    sum_q <= crc_q == FcsResidue;
    end_q <= 1'b0;
    unique case (state_q)
      Gap: begin
        count_q <= '0;
        crc_q   <= '1;
        bad_q   <= 1'b0;
        if (valid_i) state_q <= data_i == PreambleByte ? Preamble : data_i == Begin ? Body : Skip;
      end
      Preamble: begin
        if (!valid_i) state_q <= Gap;
        else if (data_i == Begin) state_q <= Body;
        else if (data_i != PreambleByte) state_q <= Skip;
      end
      Body: begin
        if (valid_i) begin
          crc_q <= crc32(crc_q, data_i);
          if (count_q != MostFcs + 1'b1) count_q <= count_q + 1'b1;
          if (error_i || full_i) bad_q <= 1'b1;
        end else begin
          bad_q   <= bad_q || count_q < LeastFcs || count_q > MostFcs;
          state_q <= Check;
        end
      end
      Check: begin
        end_q   <= !bad_q && !full_i;
        state_q <= Finish;
      end
      Finish: state_q <= valid_i ? Skip : Gap;
      default: if (!valid_i) state_q <= Gap;
    endcase
    if (rst_i) begin
      state_q <= Skip;
      end_q   <= 1'b0;
    end
  end

  always_comb begin
    write_o  = state_q == Body && valid_i;
    offset_o = count_q;
    beat_o   = '{last: 1'b0, data: data_i};
    if (state_q == Check) begin
      write_o  = !bad_q;  // or there is no room for it
      offset_o = count_q - 11'(FcsBytes);
      beat_o   = '{last: 1'b1, data: '0};
    end
  end
  assign commit_o = end_q && sum_q;  // in Finish
  assign length_o = count_q - 11'(FcsBytes - 1);
  assign busy_o   = state_q != Gap || valid_i;

endmodule
