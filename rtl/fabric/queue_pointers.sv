/// Read and write pointers of many small queues, all updated side by side.
///
/// Bit q of every vector belongs to queue q; pointers are bit-sliced: `wptr_o[b]` holds bit b of every queue's write
/// pointer. So the work of a cycle is a few operations on whole vectors, however many queues there are. The owner keeps
/// the entries and never pushes into a full queue (QueueNeverOverflows).
///
/// Latency: nonempty_o and the pointers come from registers, `popped_o` (a link's credits) is pop_i one cycle later.
/// Without push_i and pop_i, once popped_o is 0, a clock edge changes nothing.
`include "weft_check.svh"

module queue_pointers #(
  parameter int unsigned Queues = 4,
  /// Entries per queue, a power of two.
  parameter int unsigned Depth = 4,
  /// Follows from Depth: leave it.
  parameter int unsigned PtrBits = $clog2(Depth)
) (
  input  logic              clk_i,
  input  logic              rst_i,
  input  logic [Queues-1:0] push_i,
  input  logic [Queues-1:0] pop_i,
  output logic [Queues-1:0] nonempty_o,
  output logic [Queues-1:0] popped_o,
  output logic [Queues-1:0] wptr_o [PtrBits],
  output logic [Queues-1:0] rptr_o [PtrBits]
);

  `WEFT_PARAM(Depth >= 2 && (Depth & (Depth - 1)) == 0, "queue_pointers: make Depth a power of two, 2 or more")

  typedef logic [Queues-1:0] set_t;

  set_t wptr_q [PtrBits];
  set_t rptr_q [PtrBits];
  set_t nonempty_q, popped_q;
  // [b]: bit b toggles
  set_t wtoggle [PtrBits];
  set_t rtoggle [PtrBits];
  // the two pointers are one apart; are equal
  set_t one_left, equal;

  always_comb begin
    set_t rcarry;
    wtoggle[0] = push_i;
    rtoggle[0] = pop_i;
    rcarry     = '1;
    one_left   = '1;
    equal      = '1;
    for (int unsigned b = 0; b < PtrBits; b++) begin
      if (b > 0) begin
        wtoggle[b] = wtoggle[b-1] & wptr_q[b-1];
        rtoggle[b] = rtoggle[b-1] & rptr_q[b-1];
      end
      one_left = one_left & ~(rptr_q[b] ^ rcarry ^ wptr_q[b]);
      rcarry   = rcarry & rptr_q[b];
      equal    = equal & ~(rptr_q[b] ^ wptr_q[b]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      for (int unsigned b = 0; b < PtrBits; b++) begin
        wptr_q[b] <= '0;
        rptr_q[b] <= '0;
      end
      nonempty_q <= '0;
      popped_q   <= '0;
    end else begin
      popped_q <= pop_i;
      `WEFT_IF_ANY(push_i | pop_i) begin
        for (int unsigned b = 0; b < PtrBits; b++) begin
          wptr_q[b] <= wptr_q[b] ^ wtoggle[b];
          rptr_q[b] <= rptr_q[b] ^ rtoggle[b];
        end
        // pop_i comes late in the cycle: here it passes one gate only.
        nonempty_q <= push_i | (nonempty_q & ~(pop_i & one_left));
      end
    end
  end

  assign nonempty_o = nonempty_q;
  assign popped_o   = popped_q;
  assign wptr_o     = wptr_q;
  assign rptr_o     = rptr_q;

  `WEFT_ASSERT(QueueNeverOverflows, (push_i & nonempty_q & equal) == '0)
  `WEFT_ASSERT(PopOnlyWhatIsThere, (pop_i & ~nonempty_q) == '0)

endmodule
