/// The receiving ends of one or more links: for each a small RAM holding `Depth` messages of each color.
///
/// A color's messages leave in the order they came; colors never wait for each other. The sender holds one credit per
/// free slot, so a push never meets a full buffer. Each pop returns one credit. A message whose color is not built is
/// dropped and remembered in `bad_color_o`.
///
/// A reader of link l puts a color, one-hot, on `select_i[l*ReadPorts + r]` and sees that color's front in the same cycle
/// on `front_o`, same place; it is a message only if the color's `nonempty_o` is set. `pop_i` removes the fronts of all
/// colors it names, whoever read them.
///
/// Latency: 1 cycle from valid_i to nonempty_o, 1 cycle from pop_i to credit_o. Without valid_i and pop_i, once credit_o
/// is 0, a clock edge changes nothing.
`include "weft_check.svh"

module link_buffers
  import weft_pkg::*;
#(
  parameter int unsigned Links     = 1,
  /// Colors physically built; a message of a higher color is an error.
  parameter int unsigned Colors    = 4,
  /// Messages buffered per color, a power of two. 4 covers a link's round trip.
  parameter int unsigned Depth     = 4,
  /// Fronts of a link that can be seen in one cycle.
  parameter int unsigned ReadPorts = 1
) (
  input  logic                          clk_i,
  input  logic                          rst_i,
  // the links
  input  logic [Links-1:0]              valid_i,
  input  msg_t                          msg_i [Links],
  output logic [Links-1:0][Colors-1:0]  credit_o,
  // the readers
  output logic [Links-1:0][Colors-1:0]  nonempty_o,
  input  logic [Colors-1:0]             select_i [Links*ReadPorts],
  output msg_t                          front_o [Links*ReadPorts],
  input  logic [Links-1:0][Colors-1:0]  pop_i,
  /// Sticky: a message of a color that is not built came, and was dropped.
  output logic                          bad_color_o
);

  localparam int unsigned PtrBits  = $clog2(Depth);
  localparam int unsigned AddrBits = PtrBits + $clog2(Colors);

  typedef logic [Colors-1:0] set_t;

  `WEFT_PARAM(Colors >= 1 && Colors <= 32, "link_buffers: make Colors 1 to 32, the color field has 5 bits")

  function automatic color_t encode(input set_t color);
    encode = '0;
    for (int unsigned c = 0; c < Colors; c++) encode = encode | (color_t'(c) & {ColorBits{color[c]}});
  endfunction

  logic [Links-1:0][Colors-1:0] push;
  logic [Links*Colors-1:0]      wptr [PtrBits];
  logic [Links*Colors-1:0]      rptr [PtrBits];
  logic [Links-1:0]             unknown;
  logic                         bad_color_q;

  queue_pointers #(.Queues(Links * Colors), .Depth(Depth)) i_pointers (
    .clk_i, .rst_i, .push_i(push), .pop_i, .nonempty_o, .popped_o(credit_o), .wptr_o(wptr), .rptr_o(rptr)
  );

  for (genvar l = 0; l < int'(Links); l++) begin : gen_link
    logic [32:0]         ram_q [Colors*Depth];  // the color is in the address
    set_t                into;
    logic [AddrBits-1:0] waddr;

    always_comb begin
      into  = '0;
      waddr = '0;
      `WEFT_IF_ANY(valid_i[l]) begin
        into  = set_t'(valid_i[l]) << msg_i[l].color;
        waddr = AddrBits'({msg_i[l].color, {PtrBits{1'b0}}});
        for (int unsigned b = 0; b < PtrBits; b++) waddr[b] = |(wptr[b][l*Colors+:Colors] & into);
      end
    end
    assign push[l]    = into;
    assign unknown[l] = valid_i[l] && into == '0;

    always_ff @(posedge clk_i) begin
      if (into != '0) ram_q[waddr] <= {msg_i[l].ctrl, msg_i[l].data};
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
          for (int unsigned b = 0; b < PtrBits; b++) raddr[b] = |(rptr[b][l*Colors+:Colors] & chosen);
          entry = ram_q[raddr];
          front_o[l*int'(ReadPorts)+r] = {entry[32], color, entry[31:0]};
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) bad_color_q <= 1'b0;
    else if (unknown != '0) bad_color_q <= 1'b1;
  end

  assign bad_color_o = bad_color_q;

endmodule
