// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Addresses of the last sender and of the session's host, in two pages. When a session begins, the last sender becomes
/// its host.
///
/// Bytes are those of weft_eth_pkg::address_t. Reads are combinational.
module weft_peers (
  input  logic       clk_i,
  input  logic       rst_i,
  // a byte of the last sender's addresses
  input  logic       write_i,
  input  logic [3:0] at_i,
  input  logic [7:0] data_i,
  /// There is a host, and its byte is the same.
  output logic       same_o,
  input  logic       begun_i,
  input  logic       host_i,    // read the host's addresses, not the sender's
  input  logic [3:0] read_at_i,
  output logic [7:0] read_o
);

  logic [7:0] pages_q [32];
  logic       page_q;   // the page of the host
  logic       known_q;

  always_ff @(posedge clk_i) begin
    if (write_i) pages_q[{!page_q, at_i}] <= data_i;
    if (begun_i) begin
      page_q  <= !page_q;
      known_q <= 1'b1;
    end
    if (rst_i) begin
      page_q  <= 1'b0;
      known_q <= 1'b0;
    end
  end

  assign same_o = known_q && pages_q[{page_q, at_i}] == data_i;
  assign read_o = pages_q[{page_q ^ !host_i, read_at_i}];

endmodule
