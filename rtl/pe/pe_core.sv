/// A thread's scalar core: one instruction per cycle, in one stage.
///
/// The instruction memory has a register at its output, addressed by the next pc, so the instruction of pc_q is there when
/// pc_q is. An instruction that must wait holds both. Vector instructions, `ld` and `snd` go to the thread's sequencer;
/// `ld` then waits for its word. After `halt` (and before the first start) the thread is inactive.
///
/// r0 is never written and reads 0.
`include "weft_check.svh"

module pe_core
  import isa_pkg::*;
#(
  parameter bit          IsMain = 1'b1,
  parameter int unsigned IDepth = isa_pkg::IDepth
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  input  logic [7:0]                 row_i,
  input  logic [7:0]                 rows_i,
  input  logic [7:0]                 flags_i,
  // start at an address, while inactive
  input  logic                       start_i,
  input  logic [$clog2(IDepth)-1:0]  start_pc_i,
  // write a register, while inactive
  input  logic                       set_reg_i,
  input  logic [3:0]                 set_reg_addr_i,
  input  logic [15:0]                set_reg_data_i,
  // instruction memory
  output logic                       i_re_o,
  output logic [$clog2(IDepth)-1:0]  i_addr_o,
  input  logic [31:0]                i_data_i,
  // to the sequencer: an instruction with its operands; ld: op_a is the address, snd: op_a is the word
  output logic                       vec_valid_o,
  input  logic                       vec_ready_i,
  output logic [31:0]                instr_o,
  output logic [15:0]                op_a_o,
  output logic [15:0]                op_b_o,
  output logic [15:0]                op_c_o,
  output logic [15:0]                op_d_o,
  // control registers
  output logic [7:0]                 vl_o,
  output logic [15:0]                rep_o,
  output logic [15:0]                sta_o,
  output logic [15:0]                stb_o,
  output logic [15:0]                std_o,
  output logic [15:0]                idx_o,
  output logic [15:0]                lmask_o,
  // what ld asked for
  input  logic                       ld_valid_i,
  input  logic [15:0]                ld_data_i,
  // own sequencer has nothing left to issue; none of the own beats is in flight
  input  logic                       seq_idle_i,
  input  logic                       flying_i,
  // main: the other thread
  input  logic                       psum_idle_i,    // its core is inactive
  input  logic                       psum_done_i,    // and its sequencer and beats are done
  output logic                       fork_o,         // start it at i_target
  output logic                       mvp_o,          // write its register instr.rd = op_a
  // psum: a stream word for rcv
  input  logic                       rcv_valid_i,
  input  logic [15:0]                rcv_data_i,
  output logic                       rcv_o,          // takes it
  //
  output logic                       active_o,
  output logic                       step_o,         // this clock edge changes something
  output logic [$clog2(IDepth)-1:0]  pc_o,
  output logic                       bad_instr_o
);

  localparam int unsigned PcBits = $clog2(IDepth);
  typedef logic [PcBits-1:0] pc_t;

  logic        active_q, ld_wait_q;
  pc_t         pc_q;
  logic [15:0] vl_q, rep_q, sta_q, stb_q, std_q, idx_q, lmask_q;

  // Registers: one copy of a small RAM per read port.
  (* no_rw_check *) logic [15:0] rf_q [16] /* verilator public_flat_rd */;
  initial for (int i = 0; i < 16; i++) rf_q[i] = '0;

  op_e         op;
  logic        run, is_vector, advance, stop, bad;
  logic        write;            // result goes to rd
  logic [3:0]  waddr, csr_we;    // csr_we: number of the control register written; 15: none
  logic [15:0] a, b, c, d, result;
  pc_t         next_pc;

  assign op = op_e'(opcode(i_data_i));

  always_comb begin
    is_vector = 1'b0;
    run       = 1'b0;
    `WEFT_IF_ANY(active_q) begin
      case (op)
        OP_SND:  is_vector = 1'b1;
        OP_LD:   is_vector = ~ld_wait_q;
        default: is_vector = op[5];
      endcase
      run       = active_q & (vec_ready_i | ~is_vector);
    end
  end

  logic [15:0] csr_data;
  always_comb begin
    csr_data = '0;
    `WEFT_IF_ANY(run && op == OP_CSRR) begin
      case (scalar_csr(i_data_i))
        CSR_VL:    csr_data = vl_q;
        CSR_REP:   csr_data = rep_q;
        CSR_STA:   csr_data = sta_q;
        CSR_STB:   csr_data = stb_q;
        CSR_STD:   csr_data = std_q;
        CSR_IDX:   csr_data = idx_q;
        CSR_LMASK: csr_data = lmask_q;
        CSR_ROW:   csr_data = {8'b0, row_i};
        CSR_ROWS:  csr_data = {8'b0, rows_i};
        CSR_FLAGS: csr_data = {8'b0, flags_i};
        default: ;
      endcase
    end
  end

  // Operands, one adder for add, sub, addi, addresses, dbnz and comparisons. None of it matters while the thread does
  // not run: it then waits for its sequencer, or is not active.
  logic [3:0]  addr_a, addr_b;
  logic [15:0] operand, sum;
  logic        legal, subtract, carry, zero;

  always_comb begin
    legal    = 1'b0;
    addr_a   = '0;
    addr_b   = '0;
    a        = '0;
    b        = '0;
    c        = '0;
    d        = '0;
    operand  = '0;
    subtract = 1'b0;
    carry    = 1'b0;
    sum      = '0;
    zero     = 1'b0;
    waddr    = '0;
    `WEFT_IF_ANY(run) begin
      legal = IsMain ? legal_main(op) : legal_psum(op);
      if (op[5]) begin
        addr_a = IsMain ? vmain_ra(i_data_i) : vpsum_ra(i_data_i);
        addr_b = IsMain ? vmain_rb(i_data_i) : vpsum_rd(i_data_i);
      end else if (op[4]) begin
        addr_a = branch_ra(i_data_i);
        addr_b = branch_rb(i_data_i);
        waddr  = branch_rd(i_data_i);
      end else begin
        addr_a = scalar_ra(i_data_i);
        addr_b = scalar_rb(i_data_i);
        waddr  = scalar_rd(i_data_i);
      end
      a = rf_q[addr_a];
      b = rf_q[addr_b];
      if (IsMain) c = rf_q[vmain_rc(i_data_i)];
      if (IsMain) d = rf_q[vmain_rd(i_data_i)];
      subtract     = op[4] | (op == OP_SUB);
      operand      = (op == OP_ADDI || op == OP_LD) ? scalar_imm(i_data_i) : (op == OP_DBNZ) ? 16'd1 : b;
      {carry, sum} = {1'b0, a} + {1'b0, operand ^ {16{subtract}}} + {16'b0, subtract};
      zero         = sum == '0;
    end
  end

  // What the instruction does, and whether it can do it now.
  always_comb begin
    advance     = 1'b0;
    stop        = 1'b0;
    bad         = 1'b0;
    write       = 1'b0;
    csr_we      = 4'd15;
    result      = '0;
    fork_o      = 1'b0;
    mvp_o       = 1'b0;
    rcv_o       = 1'b0;
    vec_valid_o = 1'b0;
    next_pc     = start_pc_i;
    if (run) begin
      advance = 1'b1;
      next_pc = pc_q + pc_t'(1);
      result  = sum;
      if (!legal) begin
        stop = 1'b1;
        bad  = 1'b1;
      end else if (op[5] || op == OP_SND) begin
        vec_valid_o = 1'b1;
      end else begin
        case (op)
          OP_LI: begin
            write  = 1'b1;
            result = scalar_imm(i_data_i);
          end
          OP_ADD, OP_SUB, OP_ADDI: write = 1'b1;
          OP_AND: begin
            write  = 1'b1;
            result = a & b;
          end
          OP_OR: begin
            write  = 1'b1;
            result = a | b;
          end
          OP_XOR: begin
            write  = 1'b1;
            result = a ^ b;
          end
          OP_SHL: begin
            write  = 1'b1;
            result = a << scalar_shamt(i_data_i);
          end
          OP_SHR: begin
            write  = 1'b1;
            result = a >> scalar_shamt(i_data_i);
          end
          OP_CSRR: begin
            write  = 1'b1;
            result = csr_data;
          end
          OP_CSRW: csr_we = scalar_csr(i_data_i);
          OP_LD: begin
            vec_valid_o = ~ld_wait_q;
            advance     = ld_valid_i;
            write       = 1'b1;
            result      = ld_data_i;
          end
          OP_MVP: mvp_o = 1'b1;
          OP_RCV: begin
            advance = rcv_valid_i & seq_idle_i;
            rcv_o   = advance;
            write   = 1'b1;
            result  = rcv_data_i;
          end
          OP_BEQ: if (zero) next_pc = pc_t'(branch_target(i_data_i));
          OP_BNE: if (!zero) next_pc = pc_t'(branch_target(i_data_i));
          OP_BLT: if (!carry) next_pc = pc_t'(branch_target(i_data_i));
          OP_BGE: if (carry) next_pc = pc_t'(branch_target(i_data_i));
          OP_DBNZ: begin
            write = 1'b1;
            if (!zero) next_pc = pc_t'(branch_target(i_data_i));
          end
          OP_JAL: begin
            write   = 1'b1;
            result  = 16'(next_pc);
            next_pc = pc_t'(branch_target(i_data_i));
          end
          OP_JR: next_pc = pc_t'(a);
          OP_HALT: begin
            stop    = 1'b1;
            advance = ~IsMain | (seq_idle_i & ~flying_i);
          end
          OP_FORK: begin
            advance = psum_idle_i & seq_idle_i;  // psum reads what main's earlier instructions write (docs/pe.md)
            fork_o  = advance;
          end
          OP_JOIN: advance = psum_done_i;
          default: ;
        endcase
      end
    end
  end

  // While the thread is inactive a register can be set from outside.
  logic        rf_we;
  logic [3:0]  rf_waddr;
  logic [15:0] rf_wdata;

  always_comb begin
    rf_we    = 1'b0;
    rf_waddr = '0;
    rf_wdata = '0;
    `WEFT_IF_ANY({run, set_reg_i}) begin
      rf_waddr = active_q ? waddr : set_reg_addr_i;
      rf_wdata = active_q ? result : set_reg_data_i;
      rf_we    = (active_q ? advance & write : set_reg_i) & (rf_waddr != '0);
    end
  end

  always_ff @(posedge clk_i) begin
    if (rf_we) rf_q[rf_waddr] <= rf_wdata;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      active_q  <= 1'b0;
      ld_wait_q <= 1'b0;
    end else if (start_i) begin
      active_q <= 1'b1;
    end else if (run) begin
      if (advance && stop) active_q <= 1'b0;
      if (op == OP_LD) ld_wait_q <= ~ld_valid_i;
    end
    if (start_i || advance) pc_q <= next_pc;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) vl_q <= '0;
    else if (csr_we == CSR_VL) vl_q <= a;
  end

  if (IsMain) begin : gen_main
    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        rep_q   <= '0;
        sta_q   <= '0;
        stb_q   <= '0;
        std_q   <= '0;
        idx_q   <= '0;
        lmask_q <= '0;
      end else begin
        case (csr_we)
          CSR_REP:   rep_q <= a;
          CSR_STA:   sta_q <= a;
          CSR_STB:   stb_q <= a;
          CSR_STD:   std_q <= a;
          CSR_IDX:   idx_q <= a;
          CSR_LMASK: lmask_q <= a;
          default: ;
        endcase
      end
    end
  end else begin : gen_psum
    assign rep_q   = '0;
    assign sta_q   = '0;
    assign stb_q   = '0;
    assign std_q   = '0;
    assign idx_q   = '0;
    assign lmask_q = '0;
  end

  assign i_re_o      = start_i | advance;
  assign i_addr_o    = next_pc;
  assign instr_o     = i_data_i;
  assign op_a_o      = (op == OP_LD) ? sum : a;
  assign op_b_o      = b;
  assign op_c_o      = c;
  assign op_d_o      = d;
  assign vl_o        = vl_q[7:0];
  assign rep_o       = rep_q;
  assign sta_o       = sta_q;
  assign stb_o       = stb_q;
  assign std_o       = std_q;
  assign idx_o       = idx_q;
  assign lmask_o     = lmask_q;
  assign active_o    = active_q;
  assign step_o      = advance | vec_valid_o;
  assign pc_o        = pc_q;
  assign bad_instr_o = bad;

  `WEFT_ASSERT(StartsOnlyAtRest, !(start_i && active_q))

endmodule
