#include "verif/model/tiles/gathered.hpp"

#include <algorithm>

#include "sw/machine/gather.hpp"
#include "verif/model/machine/machine.hpp"

namespace weft::model {
namespace {

/// Fill levels of vdot's lists, which decide if the next message has room.
class Lists {
 public:
  Lists(std::size_t indices, std::size_t groups) : indices_(indices), closed_(groups) {}

  /// Gives `message` to a vdot with groups of `full`. Returns true if the vdot takes more messages afterwards, false if
  /// this one is the last: it ends the stream, or waits in front of the lists.
  bool take(const machine::Message& message, std::size_t full) {
    const bool closes = message.ctrl || fill_ == full;
    if (closes && closed_ == machine::kGroupsMost) return false;
    if (closes) ++closed_, fill_ = 0;
    if (message.ctrl || indices_ == machine::kListed) return false;
    ++indices_, ++fill_;
    return true;
  }

 private:
  std::size_t indices_, closed_, fill_ = 0;
};

/// Number of messages taken for the vdot that main would execute next, after the `before` messages of the running one.
std::size_t ahead(const Machine& m, std::size_t before, Lists lists) {
  const isa::Instr& next = m.program[m.main.pc].in;
  if (!m.main.running || !next.known || next.op != isa::Opcode::Vdot) return 0;
  const auto full = static_cast<std::size_t>(machine::full_group(m.main.r[next.rc]));
  const std::vector<machine::Message> messages = m.w.first(before + machine::kListed + 1);
  std::size_t taken = 0;
  while (before + taken < messages.size() && lists.take(messages[before + taken], full)) ++taken;
  return std::min(taken + 1, messages.size() - before);
}

}  // namespace

std::size_t gathered(const Machine& m) {
  const VectorOp& op = m.main.op;
  if (!op.busy || op.in.op != isa::Opcode::Vdot) return 0;
  const int full = machine::full_group(op.rc);
  const auto most = static_cast<std::size_t>(machine::gathered_most(full));
  const std::size_t data = m.w.run().size();
  if (data >= most) return most;
  if (!m.w.control_after(data)) return data;
  const std::size_t groups =
      std::max<std::size_t>(1, (data + static_cast<std::size_t>(full) - 1) / static_cast<std::size_t>(full));
  if (groups > machine::kGroupsMost || data > machine::kListed) return data + 1;  // the CR waits in front of the lists
  return data + 1 + ahead(m, data + 1, Lists(data, groups));
}

}  // namespace weft::model
