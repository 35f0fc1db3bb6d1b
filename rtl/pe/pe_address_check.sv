/// Says of each beat and each command's write whether its memory address is one it must not have. No state.
module pe_address_check
  import pe_pkg::*;
#(
  parameter int unsigned Lanes   = 4,
  parameter int unsigned SramKib = 48
) (
  input  logic         issue_i,
  /* verilator lint_off UNUSEDSIGNAL */  // what does not reach memory
  input  beat_t        beat_i,
  input  beat_addr_t   addr_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic         m_we_i,
  input  logic [15:0]  m_addr_i,
  output logic         misaligned_o,
  output logic         bad_address_o
);

  localparam int unsigned LaneBits = $clog2(Lanes);
  localparam int unsigned Elements = SramKib * 512;

  function automatic logic beyond(input logic [15:0] addr);
    return (Elements < 65536) && ({16'b0, addr} >= Elements);
  endfunction

  always_comb begin
    misaligned_o  = 1'b0;
    bad_address_o = 1'b0;
    if (issue_i) begin
      if (beat_i.read.m_re) begin
        misaligned_o  = ~beat_i.select.ms_load & ~beat_i.select.ld & (addr_i.m[LaneBits-1:0] != '0);
        bad_address_o = beyond(addr_i.m);
      end
      if (beat_i.finish.dest == DestMem) begin
        misaligned_o  = misaligned_o | (addr_i.d[LaneBits-1:0] != '0);
        bad_address_o = bad_address_o | beyond(addr_i.d);
      end
    end else if (m_we_i) begin
      bad_address_o = beyond(m_addr_i);
    end
  end

endmodule
