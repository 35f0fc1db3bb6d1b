/// The compiler's few functions the host calls, where the compiler is not built.
#include <bit>

#include "sw/compiler/plan.hpp"

namespace weft {

std::vector<Message> Plan::tokens(std::span<const std::uint16_t> inputs, std::span<const std::uint16_t> labels) const {
  std::vector<Message> messages;
  for (std::size_t i = 0; i < inputs.size(); ++i) messages.push_back(Message::weight(inputs[i], labels[i]));
  return messages;
}

bool Plan::is_token(int column, int t, int sequences) const {
  return column * tokens_per_column + t < sequences * model.seq;
}

void expand(const Op& op, std::span<const float> parameters, std::vector<Message>& messages) {
  messages.clear();
  for (const StreamEntry& entry : op.stream) {
    if (entry.source >= StreamEntry::kLiteral) {
      messages.push_back({entry.data, entry.source == StreamEntry::kCtrl});
    } else {
      messages.push_back({entry.data | std::bit_cast<std::uint32_t>(parameters[entry.source]) >> 16, false});
    }
  }
}

}  // namespace weft
