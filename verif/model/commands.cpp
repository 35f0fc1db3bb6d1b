/// Commands, taken while main rests (docs/message.md).
#include "sw/machine/message.hpp"
#include "verif/model/row.hpp"

namespace weft::model {

void Row::command(std::uint32_t word) {
  const auto code = static_cast<Command>(word >> 24);
  const std::uint8_t arg = word >> 16;
  const std::uint16_t value = word;
  steps_ = 0;
  if (code == Command::Select) {
    const int row = value >> 8, col = value & 0xff;
    selected_row_ = row == 255 || row == row_;
    selected_col_ = shape_.cols == 1 && col == 0 ? 255 : col;
    return;
  }
  if (code == Command::CR || code > Command::Route) return flag(isa::Flag::BadCommand);
  if (!selected_row_ || (selected_col_ != 255 && selected_col_ >= shape_.cols)) return;
  if (selected_col_ != 255 && code != Command::Maddr && code != Command::Mdata)
    throw ProgramError("row " + std::to_string(row_) + ": command " + std::to_string(word >> 24) +
                       " while one column is selected: a row must run in step, only MADDR and MDATA may differ");
  switch (code) {
    case Command::Setreg:
      if (arg & 15) main_.r[arg & 15] = value;
      return;
    case Command::Call:
      main_.running = true;
      main_.pc = value;
      return;
    case Command::Iaddr:
      iaddr_ = value;
      return;
    case Command::Ilo:
      ilo_ = value;
      return;
    case Command::Ihi:
      return write_instruction(value);
    case Command::Maddr:
      for (int col = 0; col < shape_.cols; ++col)
        if (selected_col_ == 255 || selected_col_ == col) maddr_[col] = value;
      return;
    case Command::Mdata:
      return write_memory(value);
    default:  // ROUTE: the model has the neighbour chains built in
      if (value >> 11 > static_cast<unsigned>(Color::West)) return flag(isa::Flag::BadColor);
      if ((value >> 8 & 7) > 4 || (value >> 5 & 7)) return flag(isa::Flag::BadCommand);
  }
}

void Row::write_instruction(std::uint16_t high) {
  const std::uint32_t word = static_cast<std::uint32_t>(high) << 16 | ilo_;
  iaddr_ &= WaferShape::kIDepth - 1;
  words_[iaddr_] = word;
  const isa::Instr in = isa::decode(word);
  const isa::Info* info = in.legal ? isa::info(in.op) : nullptr;
  Decoded& decoded = decoded_[iaddr_++];
  decoded = {.in = in, .main = info && info->main, .psum = info && info->psum};
  decoded.registers =
      decoded.main && decoded.psum && in.op <= isa::Op::Jr && in.op != isa::Op::Ld && in.op != isa::Op::Csrr;
  if (in.op == isa::Op::Vf) decoded.elementwise = elementwise(in), decoded.table = table_of(in.fn);
}

}  // namespace weft::model
