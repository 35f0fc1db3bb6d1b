/// Helper of in_order: position of a message in a line of slots, some of which are occupied; slot 0 leaves next.
///
/// Latency: none.
module line_up
  import weft_pkg::*;
#(
  parameter int unsigned Slots = 4
) (
  input  logic [Slots-1:0]           valid_i,
  input  msg_t                       msg_i [Slots],
  input  logic [$clog2(Slots+1)-1:0] ahead_i,
  /// Number of messages in the line, and the message that has `ahead_i` before it.
  output logic [$clog2(Slots+1)-1:0] inside_o,
  output msg_t                       at_o
);

  typedef logic [$clog2(Slots+1)-1:0] count_t;

  always_comb begin
    inside_o = '0;
    at_o     = '0;
    for (int unsigned s = 0; s < Slots; s++) begin
      if (valid_i[s] && inside_o == ahead_i) at_o = msg_i[s];
      inside_o = inside_o + count_t'(valid_i[s]);
    end
  end

endmodule
