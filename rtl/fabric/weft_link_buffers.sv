// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The receiving ends of many links: buffers for each color of each link, and the credits returned to the senders.
///
/// A message that arrives enters its color's queue (RAM of `Depth` messages per link and color); when it is popped, one
/// credit returns. Senders never have more messages in flight than a queue has room (QueueNeverOverflows). A message
/// whose color is not built is dropped and remembered in `bad_color_o`. A message for a queue that is not built is
/// dropped and remembered in `unbuilt_o`; its credit returns at once.
///
/// A reader of link l puts a color, one-hot, on `select_i[l*ReadPorts + r]` and sees that color's front in the same
/// cycle in the same place of `front_o`; the front is a message only if the color's `nonempty_o` is set. `pop_i`
/// removes the fronts of all colors it names, whichever reader has read them.
///
/// Pointers are bit-sliced: bit q of a vector belongs to queue q = link * Colors + color, `wptr_q[b]` holds bit b of
/// every queue's write pointer. A cycle's work is then a few operations on whole vectors, however many queues there
/// are.
///
/// Latency: 1 cycle from valid_i to nonempty_o, 1 cycle from pop_i to credit_o. Without valid_i and pop_i, once credit_o
/// is 0, a clock edge changes nothing.
`include "weft_check.svh"

module weft_link_buffers
  import weft_pkg::*;
#(
  parameter int unsigned Links     = 1,
  /// Colors physically built; a message of a higher color is an error.
  parameter int unsigned Colors    = weft_isa_pkg::DefaultColors,
  /// Messages buffered per color, a power of two. 4 covers a link's round trip.
  parameter int unsigned Depth     = weft_isa_pkg::DefaultDepth,
  /// Fronts of a link that can be read in one cycle.
  parameter int unsigned ReadPorts = 1,
  /// Queues physically built, [link][color].
  parameter logic [Links-1:0][Colors-1:0] Built = '1,
  localparam int unsigned PtrBits = $clog2(Depth)
) (
  input  logic                                    clk_i,
  input  logic                                    rst_i,
  // the links
  input  logic [Links-1:0]                        valid_i,
  input  msg_t                                    msg_i [Links],
  output logic [Links-1:0][Colors-1:0]            credit_o,
  // the readers
  output logic [Links-1:0][Colors-1:0]            nonempty_o,
  input  logic [Links*ReadPorts-1:0][Colors-1:0]  select_i,
  output msg_t                                    front_o [Links*ReadPorts],
  input  logic [Links-1:0][Colors-1:0]            pop_i,
  /// Sticky: a message of a color that is not built arrived, and was dropped.
  output logic                                    bad_color_o,
  /// Sticky: a message for a queue that is not built arrived, and was dropped.
  output logic                                    unbuilt_o,
  /// Read pointers (0) and write pointers (1) of the queues, [which][bit][link * Colors + color]: for the debug chain.
  output logic [1:0][PtrBits-1:0][Links*Colors-1:0] pointers_o
);

  localparam int unsigned AddrBits = PtrBits + $clog2(Colors);
  localparam int unsigned Queues   = Links * Colors;

  typedef logic [Colors-1:0] set_t;       // set of a link's colors
  typedef logic [Queues-1:0] queues_t;    // set of queues, of all links

  `WEFT_PARAM(Colors >= 1 && Colors <= 32, "weft_link_buffers: make Colors 1 to 32, the color field has 5 bits")
  `WEFT_PARAM(Depth >= 2 && (Depth & (Depth - 1)) == 0, "weft_link_buffers: make Depth a power of two, 2 or more")

  function automatic color_t encode(input set_t color);
    encode = '0;
    for (int unsigned c = 0; c < Colors; c++) encode = encode | (color_t'(c) & {ColorBits{color[c]}});
  endfunction

  // ---------------------------------------------------------------------------------------------------- pointers
  logic [PtrBits-1:0][Queues-1:0] wptr_q, rptr_q;
  queues_t                        nonempty_q, popped_q;
  logic                           bad_color_q, unbuilt_q;

  // All that depends on the inputs is computed at the clock edge, so that a simulator computes it once.
  always_ff @(posedge clk_i) begin : move
    queues_t push, refused, wtoggle, rtoggle, carry, one_left;
    set_t    into;
    logic [PtrBits-1:0][Queues-1:0] wptr, rptr;
    {push, refused, wtoggle, rtoggle, carry, one_left, into, wptr, rptr} = '0;
    if (rst_i) begin
      wptr_q      <= '0;
      rptr_q      <= '0;
      nonempty_q  <= '0;
      popped_q    <= '0;
      bad_color_q <= 1'b0;
      unbuilt_q   <= 1'b0;
    end else begin
      `WEFT_IF_ANY(valid_i) begin
        for (int unsigned l = 0; l < Links; l++) begin
          `WEFT_IF_ANY(valid_i[l]) begin
            into = set_t'(valid_i[l]) << msg_i[l].color;
            push[l*Colors+:Colors]    = into & Built[l];
            refused[l*Colors+:Colors] = into & ~Built[l];
            if (valid_i[l] && into == '0) bad_color_q <= 1'b1;
          end
        end
        if (refused != '0) unbuilt_q <= 1'b1;
      end
      popped_q <= pop_i | refused;
      `WEFT_IF_ANY({valid_i, pop_i}) begin
        wtoggle  = push;
        rtoggle  = pop_i;
        carry    = '1;
        one_left = '1;  // the two pointers are one apart
        wptr     = wptr_q;
        rptr     = rptr_q;
        for (int unsigned b = 0; b < PtrBits; b++) begin
          one_left  = one_left & ~(rptr_q[b] ^ carry ^ wptr_q[b]);
          carry     = carry & rptr_q[b];
          wptr[b]   = wptr_q[b] ^ wtoggle;
          rptr[b]   = rptr_q[b] ^ rtoggle;
          wtoggle   = wtoggle & wptr_q[b];
          rtoggle   = rtoggle & rptr_q[b];
        end
        wptr_q <= wptr;
        rptr_q <= rptr;
        // pop_i arrives late in the cycle: here it passes only one gate.
        nonempty_q <= push | (nonempty_q & ~(pop_i & one_left));
      end
    end
  end

  // ---------------------------------------------------------------------------------------------------- messages
  for (genvar l = 0; l < int'(Links); l++) begin : gen_link
    logic [32:0] ram_q [Colors*Depth];  // the color is in the address

    always_ff @(posedge clk_i) begin : store
      set_t                into;
      logic [AddrBits-1:0] waddr;
      into  = '0;
      waddr = '0;
      if (valid_i[l]) begin
        into  = set_t'(1) << msg_i[l].color;
        waddr = AddrBits'({msg_i[l].color, {PtrBits{1'b0}}});
        for (int unsigned b = 0; b < PtrBits; b++) waddr[b] = |(wptr_q[b][l*Colors+:Colors] & into);
        if (into != '0) ram_q[waddr] <= {msg_i[l].ctrl, msg_i[l].data};
      end
    end

    for (genvar r = 0; r < int'(ReadPorts); r++) begin : gen_read
      logic [AddrBits-1:0] raddr;
      logic [32:0]         entry;
      color_t              color;
      set_t                chosen;

      assign chosen = select_i[l*int'(ReadPorts)+r];
      always_comb begin
        raddr = '0;
        color = '0;
        entry = '0;
        front_o[l*int'(ReadPorts)+r] = '0;
        `WEFT_IF_ANY(chosen) begin
          color = encode(chosen);
          raddr = AddrBits'({color, {PtrBits{1'b0}}});
          for (int unsigned b = 0; b < PtrBits; b++) raddr[b] = |(rptr_q[b][l*Colors+:Colors] & chosen);
          entry = ram_q[raddr];
          front_o[l*int'(ReadPorts)+r] = {entry[32], color, entry[31:0]};
        end
      end
    end
  end

  assign nonempty_o  = nonempty_q;
  assign credit_o    = popped_q;
  assign bad_color_o = bad_color_q;
  assign unbuilt_o   = unbuilt_q;
  assign pointers_o  = {wptr_q, rptr_q};

`ifdef WEFT_CHECKED
  queues_t pushed, equal;
  always_comb begin
    pushed = '0;
    equal  = '1;
    for (int unsigned l = 0; l < Links; l++) pushed[l*Colors+:Colors] = (set_t'(valid_i[l]) << msg_i[l].color) & Built[l];
    for (int unsigned b = 0; b < PtrBits; b++) equal = equal & ~(rptr_q[b] ^ wptr_q[b]);
  end
`endif
  `WEFT_ASSUME(QueueNeverOverflows, (pushed & nonempty_q & equal) == '0)
  `WEFT_ASSUME(PopOnlyWhatIsThere, (pop_i & ~nonempty_q) == '0)

endmodule
