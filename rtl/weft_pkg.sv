// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The message of the wafer's links. Ports, colors, commands and sticky flags are in weft_isa_pkg, made from sw/isa/isa.py.
///
/// docs/reference/message.md is the contract in words, sw/machine/message.hpp has
/// what the host sends of it.
/* verilator lint_off UNUSEDPARAM */  // no module uses all of a package
package weft_pkg;

  /// Virtual channels a message can name; a wafer builds the first `Colors` of them.
  localparam int unsigned ColorBits = 5;

  typedef logic [ColorBits-1:0] color_t;

  /// The message of all links.
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

  /// Row or column of a tile.
  localparam int unsigned CoordinateBits = 12;

  typedef logic [CoordinateBits-1:0] coordinate_t;

  /// The rest of a SELECT command, behind its code; all ones match every row or column.
  typedef struct packed {
    coordinate_t row;
    coordinate_t col;
  } select_t;

  /// `value` of a ROUTE command.
  typedef struct packed {
    color_t      color;
    logic [2:0]  port;
    logic [2:0]  zero;
    logic [4:0]  outputs;  // bit p: output port p
  } route_t;

  /// The router's ports (weft_isa_pkg's port_e), inputs and outputs alike.
  localparam int unsigned Ports = 5;

endpackage
/* verilator lint_on UNUSEDPARAM */
