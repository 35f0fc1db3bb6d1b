/// What every module of the wafer agrees on: the message, the ports, the colors, the commands, the sticky flags.
///
/// docs/message.md is the contract in words, verif/message.hpp its mirror in C++.
/* verilator lint_off UNUSEDPARAM */  // nobody uses all of a package
package weft_pkg;

  /// Virtual channels a message can name; a wafer builds the first `Colors` of them.
  localparam int unsigned ColorBits = 5;

  typedef logic [ColorBits-1:0] color_t;

  /// The one message of all links.
  typedef struct packed {
    logic        ctrl;   // 1: a command, 0: data
    color_t      color;
    logic [31:0] data;
  } msg_t;

  localparam int unsigned MsgBits = $bits(msg_t);

  /// A weight, as `data` of a data message on W.
  typedef struct packed {
    logic [15:0] index;
    logic [15:0] value;
  } weight_t;

  /// A command, as `data` of a control message on W.
  typedef struct packed {
    logic [7:0]  code;
    logic [7:0]  arg;
    logic [15:0] value;
  } command_t;

  /// `value` of a ROUTE command.
  typedef struct packed {
    color_t      color;
    logic [2:0]  port;
    logic [2:0]  zero;
    logic [4:0]  outputs;  // bit p: output port p
  } route_t;

  /// The router's ports, inputs and outputs alike.
  localparam int unsigned Ports = 5;

  typedef enum logic [2:0] {
    PortN    = 3'd0,
    PortE    = 3'd1,
    PortS    = 3'd2,
    PortW    = 3'd3,
    PortRamp = 3'd4
  } port_e;

  localparam color_t ColorW     = 5'd0;
  localparam color_t ColorRing  = 5'd1;
  localparam color_t ColorNorth = 5'd2;
  localparam color_t ColorWest  = 5'd3;

  localparam logic [7:0] CmdCr     = 8'd0;
  localparam logic [7:0] CmdSelect = 8'd1;
  localparam logic [7:0] CmdSetReg = 8'd2;
  localparam logic [7:0] CmdCall   = 8'd3;
  localparam logic [7:0] CmdIAddr  = 8'd4;
  localparam logic [7:0] CmdILo    = 8'd5;
  localparam logic [7:0] CmdIHi    = 8'd6;
  localparam logic [7:0] CmdMAddr  = 8'd7;
  localparam logic [7:0] CmdMData  = 8'd8;
  localparam logic [7:0] CmdRoute  = 8'd9;

  /// Bit numbers of the sticky flags.
  localparam int unsigned FlagNoRoute    = 0;
  localparam int unsigned FlagBadColor   = 1;
  localparam int unsigned FlagNoRow      = 2;
  localparam int unsigned FlagBadCommand = 3;
  localparam int unsigned FlagBadInstr   = 4;
  localparam int unsigned FlagMisaligned = 5;
  localparam int unsigned FlagBadAddress = 6;

endpackage
/* verilator lint_on UNUSEDPARAM */
