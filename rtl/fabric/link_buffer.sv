/// The receiving end of a link: a small RAM holding `Depth` messages for each color.
///
/// A color's messages leave in the order they came; colors never wait for each other. The sender holds one credit per
/// free slot, so a push never meets a full buffer (BufferNeverOverflows). Each pop returns one credit. A message whose
/// color is not built is dropped and remembered in `bad_color_o`.
///
/// A reader puts a color, one-hot, on `select_i[r]` and sees that color's front in the same cycle on `front_o[r]`; it is
/// a message only if the color's `nonempty_o` is set. `pop_i` removes the fronts of all colors it names, whoever read
/// them. Pointers are bit-sliced: bit c of every vector belongs to color c.
///
/// Latency: 1 cycle from valid_i to nonempty_o, 1 cycle from pop_i to credit_o. Without valid_i and pop_i, once credit_o
/// is 0, a clock edge changes nothing.
`include "weft_check.svh"

module link_buffer
  import weft_pkg::*;
#(
  /// Colors physically built; a message of a higher color is an error.
  parameter int unsigned Colors    = 4,
  /// Messages buffered per color, a power of two. 4 covers a link's round trip.
  parameter int unsigned Depth     = 4,
  /// Fronts that can be seen in one cycle.
  parameter int unsigned ReadPorts = 1
) (
  input  logic                              clk_i,
  input  logic                              rst_i,
  // the link
  input  logic                              valid_i,
  input  msg_t                              msg_i,
  output logic [Colors-1:0]                 credit_o,
  // the readers
  output logic [Colors-1:0]                 nonempty_o,
  input  logic [ReadPorts-1:0][Colors-1:0]  select_i,
  output msg_t                              front_o [ReadPorts],
  input  logic [Colors-1:0]                 pop_i,
  /// Sticky: a message of a color that is not built came, and was dropped.
  output logic                              bad_color_o
);

  localparam int unsigned PtrBits  = $clog2(Depth);
  localparam int unsigned AddrBits = PtrBits + $clog2(Colors);

  typedef logic [Colors-1:0] set_t;                 // of colors
  typedef logic [PtrBits-1:0][Colors-1:0] ptrs_t;   // [bit][color]

  `WEFT_PARAM(Depth >= 2 && (Depth & (Depth - 1)) == 0, "link_buffer: make Depth a power of two, 2 or more")
  `WEFT_PARAM(Colors >= 1 && Colors <= 32, "link_buffer: make Colors 1 to 32, the color field has 5 bits")

  function automatic ptrs_t advance(input ptrs_t ptrs, input set_t by);
    set_t carry;
    carry = by;
    for (int unsigned b = 0; b < PtrBits; b++) begin
      advance[b] = ptrs[b] ^ carry;
      carry      = carry & ptrs[b];
    end
  endfunction

  function automatic set_t equal(input ptrs_t a, input ptrs_t b);
    equal = '1;
    for (int unsigned i = 0; i < PtrBits; i++) equal = equal & ~(a[i] ^ b[i]);
  endfunction

  function automatic color_t encode(input set_t color);
    encode = '0;
    for (int unsigned b = 0; b < ColorBits; b++) begin
      for (int unsigned c = 0; c < Colors; c++) encode[b] = encode[b] | (color[c] & c[b]);
    end
  endfunction

  function automatic logic [AddrBits-1:0] address(input ptrs_t ptrs, input set_t color);
    color_t code;
    code = encode(color);
    for (int unsigned b = 0; b < PtrBits; b++) address[b] = |(ptrs[b] & color);
    for (int unsigned b = PtrBits; b < AddrBits; b++) address[b] = code[b-PtrBits];
  endfunction

  ptrs_t wptr_q, rptr_q;
  set_t  nonempty_q, credit_q, push;
  logic  bad_color_q;
  // The color is in the address.
  logic [32:0] ram_q [Colors*Depth];

  always_comb begin
    push = '0;
    if (valid_i) push = set_t'(1) << msg_i.color;
  end

  always_ff @(posedge clk_i) begin
    if (|push) ram_q[address(wptr_q, push)] <= {msg_i.ctrl, msg_i.data};
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      wptr_q      <= '0;
      rptr_q      <= '0;
      nonempty_q  <= '0;
      credit_q    <= '0;
      bad_color_q <= 1'b0;
    end else begin
      credit_q <= pop_i;
      if (|push) wptr_q <= advance(wptr_q, push);
      if (|pop_i) rptr_q <= advance(rptr_q, pop_i);
      // pop_i comes late in the cycle: here it passes one gate only.
      nonempty_q <= push | (nonempty_q & ~(pop_i & equal(advance(rptr_q, '1), wptr_q)));
      if (valid_i && push == '0) bad_color_q <= 1'b1;
    end
  end

  for (genvar r = 0; r < int'(ReadPorts); r++) begin : gen_read
    logic [32:0] entry;

    assign entry      = ram_q[address(rptr_q, select_i[r])];
    assign front_o[r] = {entry[32], encode(select_i[r]), entry[31:0]};
  end

  assign nonempty_o  = nonempty_q;
  assign credit_o    = credit_q;
  assign bad_color_o = bad_color_q;

  `WEFT_ASSERT(BufferNeverOverflows, (push & nonempty_q & equal(wptr_q, rptr_q)) == '0)
  `WEFT_ASSERT(PopOnlyWhatIsThere, (pop_i & ~nonempty_q) == '0)

endmodule
