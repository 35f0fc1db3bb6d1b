// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Expands the records of the stream from the host into messages for the valve (docs/reference/board_link.md, Down).
///
/// Takes a byte a cycle at most. A literal message takes six cycles, one of an output two. A first byte that begins no
/// record stops the expander until the next session: fault_o.
///
/// The index memory keeps its contents over a reset.
module weft_expander #(
  /// Entries of the index memory, a power of two.
  parameter int unsigned Indices = 2048
) (
  input  logic        clk_i,
  input  logic        rst_i,
  // the stream
  input  logic        valid_i,
  input  logic [7:0]  data_i,
  output logic        ready_o,
  // the valve
  output logic        valid_o,
  output logic        ctrl_o,
  output logic [31:0] data_o,
  input  logic        ready_i,
  //
  output logic        busy_o,   // within a record
  output logic        waits_o,  // for a byte or the valve
  output logic        fault_o
);

  typedef enum logic [3:0] {First, Fields, Choose, Message, Write, Low, High, Moving, Return, Fault} state_e;
  typedef enum logic [1:0] {Messages, Load, Run} record_e;
  typedef logic [$clog2(Indices)-1:0] place_t;

  state_e       state_q;
  record_e      record_q;
  logic [103:0] fields_q;  // the last 13 bytes: the fields of a RUN
  logic [3:0]   bytes_q;   // bytes of the fields to come, or of a message
  logic [15:0]  left_q;    // entries left of a record or an output
  logic [15:0]  times_q;
  place_t       place_q;   // in the index memory
  logic         valid_q, ctrl_q;
  logic [31:0]  data_q;
  logic         take, needs, emit, emits, values, moves;

  // Fields of a RUN.
  place_t      at;
  logic [15:0] n, index, value, step;
  logic [3:0]  what;
  assign at    = place_t'(fields_q[15:0]);
  assign n     = fields_q[31:16];
  assign what  = fields_q[51:48];
  assign index = fields_q[71:56];
  assign value = fields_q[87:72];
  assign step  = fields_q[103:88];
  assign moves  = left_q == '0;         // Low, High: the message that moves
  assign values = moves || what[0];

  (* no_rw_check *) logic [15:0] mem_q [Indices];
  logic [15:0] read_q;
  logic        write;
  assign write = state_q == Write && take && !bytes_q[0];
  always_ff @(posedge clk_i) begin
    if (write) mem_q[place_q] <= {data_i, fields_q[103:96]};
  end
  always_ff @(posedge clk_i) read_q <= mem_q[place_q];

  // A RUN's first message, and the one after the index memory's.
  state_e first, last;
  assign last  = (what[1] && what[3]) ? Low : Moving;
  assign first = n != '0 ? Low : last;

  // States that take a byte, and states that put a message into the register before the valve.
  always_comb begin
    unique case (state_q)
      First, Fields, Write: needs = 1'b1;
      Message:              needs = bytes_q != '0;
      Low, High:            needs = values;
      default:              needs = 1'b0;
    endcase
    unique case (state_q)
      Message: emits = bytes_q == '0;
      High, Moving, Return: emits = 1'b1;
      default: emits = 1'b0;
    endcase
  end
  assign emit    = emits && (!valid_q || ready_i) && (!needs || valid_i);
  assign ready_o = needs && (!emits || !valid_q || ready_i);
  assign take    = valid_i && ready_o;

  // The low byte of a value is the last byte taken: low_q keeps it for High, next to the fields.
  logic [7:0] low_q;

  always_ff @(posedge clk_i) begin
    if (take) begin
      low_q <= data_i;
      if (state_q == Fields || state_q == Message || state_q == Write) fields_q <= {data_i, fields_q[103:8]};
    end
    if (ready_i) valid_q <= 1'b0;
    unique case (state_q)
      First: if (take) begin
        state_q <= Fields;
        unique case (data_i)
          8'd1:    {record_q, bytes_q} <= {Messages, 4'd1};
          8'd2:    {record_q, bytes_q} <= {Load, 4'd3};
          8'd3:    {record_q, bytes_q} <= {Run, 4'd12};
          default: state_q <= Fault;
        endcase
      end
      Fields: if (take) begin
        bytes_q <= bytes_q - 1'b1;
        if (bytes_q == '0) state_q <= Choose;
      end
      Choose: begin  // all fields have arrived: those of short records in the upper bits
        unique case (record_q)
          Messages: begin
            left_q  <= fields_q[103:88];
            bytes_q <= 4'd5;
            state_q <= fields_q[103:88] == '0 ? First : Message;
          end
          Load: begin
            place_q <= place_t'(fields_q[87:72]);
            left_q  <= fields_q[103:88];
            bytes_q <= 4'd1;
            state_q <= fields_q[103:88] == '0 ? First : Write;
          end
          default: begin
            times_q <= fields_q[47:32];
            place_q <= at;
            left_q  <= n;
            if (fields_q[47:32] == '0) state_q <= First;
            else state_q <= first;
          end
        endcase
      end
      Message: begin
        if (take) bytes_q <= bytes_q - 1'b1;
        if (emit) begin
          valid_q <= 1'b1;
          ctrl_q  <= fields_q[64];
          data_q  <= fields_q[103:72];
          bytes_q <= 4'd5;
          left_q  <= left_q - 1'b1;
          if (left_q == 16'd1) state_q <= First;
        end
      end
      Write: if (take) begin
        bytes_q[0] <= !bytes_q[0];
        if (!bytes_q[0]) begin
          place_q <= place_q + 1'b1;
          left_q  <= left_q - 1'b1;
          if (left_q == 16'd1) state_q <= First;
        end
      end
      Low: if (take || !values) state_q <= High;  // the index memory is read meanwhile
      High: if (emit) begin
        valid_q <= 1'b1;
        ctrl_q  <= 1'b0;
        data_q  <= {moves ? index : read_q, values ? {data_i, low_q} : 16'd0};
        place_q <= place_q + 1'b1;
        if (moves) fields_q[71:56] <= index + step;
        else left_q <= left_q - 1'b1;
        if (moves) state_q <= Return;
        else state_q <= left_q == 16'd1 ? last : Low;
      end
      Moving: if (!what[1] || emit) begin
        if (what[1]) begin
          valid_q         <= 1'b1;
          ctrl_q          <= 1'b0;
          data_q          <= {index, value};
          fields_q[71:56] <= index + step;
        end
        state_q <= Return;
      end
      Return: if (!what[2] || emit) begin
        if (what[2]) begin
          valid_q <= 1'b1;
          ctrl_q  <= 1'b1;
          data_q  <= 32'(weft_isa_pkg::CMD_CR) << 24;
        end
        times_q <= times_q - 1'b1;
        place_q <= at;
        left_q  <= n;
        if (times_q == 16'd1) state_q <= First;
        else state_q <= first;
      end
      default: ;
    endcase
    if (rst_i) begin
      state_q <= First;
      valid_q <= 1'b0;
    end
  end

  assign valid_o = valid_q;
  assign ctrl_o  = ctrl_q;
  assign data_o  = data_q;
  assign busy_o  = state_q != First && state_q != Fault;
  assign waits_o = state_q == Fault || (needs && !valid_i) || (valid_q && !ready_i);
  assign fault_o = state_q == Fault;

endmodule
