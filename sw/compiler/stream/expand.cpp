#include "sw/compiler/stream/expand.hpp"

#include <algorithm>
#include <numeric>

#include "sw/compiler/stream/sinks.hpp"
#include "sw/compiler/stream/stream_counts.hpp"

namespace weft {
namespace {

constexpr Message kCarriageReturn = Message::command(Command::CR, 0, 0);

std::vector<DealtLine> deal(const SweepReader& reader, const Sweep& sweep) {
  std::vector<DealtLine> lines;
  for (std::size_t line = 0; line < sweep.lines.size() && reader.is_whole(); ++line)
    lines.emplace_back(reader.common(line), reader.out_stride(line));
  return lines;
}

std::uint32_t head(const Tap& tap) { return static_cast<std::uint32_t>(tap.index) << 16; }

bool streams_weights(const Op& op) { return op.sweep.values == Sweep::Values::Weights; }

}  // namespace

Expansion::Expansion(const Op& op)
    : op_(op), reader_(op.sweep), dealt_(deal(reader_, op.sweep)), staged_(op.sweep, dealt_) {}

bool Expansion::next(const Parameters& parameters, std::vector<Message>& messages) {
  const std::size_t before = messages.size();
  ParametersToMessages to{parameters, messages, streams_weights(op_) && !parameters.empty()};
  piece(to);
  return messages.size() > before;
}

std::size_t Expansion::values(const Parameters& parameters, std::vector<bf16>& values) {
  ParametersToValues to{parameters, values, streams_weights(op_)};
  piece(to);
  return to.count();
}

std::size_t Expansion::fill(std::span<const bf16> values, StreamPiece& made) {
  ValuesToPiece to{values, made, streams_weights(op_)};
  piece(to);
  return to.taken;
}

template <class Taker>
void Expansion::piece(Taker& to) {
  const std::size_t before = to.count();
  if (!begun_) {
    begun_ = true;
    for (const StreamEntry& entry : op_.commands) {
      if (entry.source >= StreamEntry::kLiteral) {
        to.fixed({entry.data, entry.source == StreamEntry::kCtrl});
      } else {
        to.entry(entry.data, entry.source);
      }
    }
  }
  while (to.count() - before < kPiece && reader_.next()) line(to);
}

template <class Taker>
void Expansion::line(Taker& to) {
  if (!dealt_.empty()) {
    whole_line(to);
  } else if (reader_.is_whole_dealt()) {
    dealt_line(to);
  } else {
    reader_.dealt(taps_);
    for (const Tap& tap : taps_) {
      if (to.weights) {
        to.tap(head(tap), tap.source);
      } else {
        to.fixed({head(tap), false});
      }
    }
  }
  to.fixed(kCarriageReturn);
}

/// Emits the taps common to all outputs, with the bias and residual of this output inserted at their places.
template <class Taker>
void Expansion::whole_line(Taker& to) {
  const DealtLine& dealt = dealt_[static_cast<std::size_t>(reader_.line())];
  const std::uint64_t further = static_cast<std::uint64_t>(reader_.output()) * dealt.out_stride;
  const bf16* staged = nullptr;
  if constexpr (Taker::kStages) {
    if (staged_.helps() && to.weights && !to.parameters.empty()) staged = staged_.next(to.parameters);
  }
  std::size_t t = 0;
  const auto until = [&](std::size_t end) {
    while (t < end) {
      const Stretch some{dealt, t, std::min(end, t + Stretch::kMost), further, staged};
      to.some(some);
      t = some.end;
    }
  };
  for (const Tap& tap : reader_.extras()) {
    until(dealt.last[tap.row]);
    to.tap(head(tap), tap.source);
  }
  until(dealt.heads.size());
}

/// Emits the taps in the order of SweepReader::dealt(), without making lists of taps.
template <class Taker>
void Expansion::dealt_line(Taker& to) {
  const auto line = static_cast<std::size_t>(reader_.line());
  const std::vector<std::vector<Tap>>& common = reader_.common(line);
  const std::vector<std::vector<Tap>>& extras = reader_.extras_of_dealt();
  const auto each = static_cast<std::size_t>(op_.sweep.deal->each);
  const int* const outputs = op_.sweep.outputs->on_row(reader_.home()).data() + reader_.place().slot;
  ends_.clear();
  for (std::size_t row = 0; row < common.size(); ++row)
    ends_.push_back(reader_.count_of_row(static_cast<int>(row), taps_));
  const std::size_t rounds = (*std::ranges::max_element(ends_) + each - 1) / each;
  for (std::size_t k = 0; k < rounds; ++k)
    for (std::size_t n = 0; n < each; ++n) {
      const bool missing = n >= extras.size();
      const std::uint64_t further = missing ? 0 : static_cast<std::uint64_t>(outputs[n]) * reader_.out_stride(line);
      for (std::size_t row = 0; row < common.size(); ++row) {
        if (k * each + n >= ends_[row]) continue;
        Tap tap = reader_.pad(static_cast<int>(row));
        const std::size_t own = common[row].size();
        if (!missing && k < own) {
          tap = common[row][k];
          tap.source += further;
        } else if (!missing) {
          std::size_t behind = own;
          for (const Tap& extra : extras[n])
            if (extra.row == row && behind++ == k) tap = extra;
        }
        to.tap(head(tap), tap.source);
      }
    }
}

bool has_weights(const Op& op) {
  const auto of_parameter = [](const StreamEntry& entry) { return entry.source < StreamEntry::kLiteral; };
  return (!op.sweep.empty() && streams_weights(op)) || std::ranges::any_of(op.commands, of_parameter);
}

void expand(const Op& op, std::span<const float> parameters, std::vector<Message>& messages) {
  messages.clear();
  Expansion expansion(op);
  while (expansion.next(parameters, messages)) {
  }
}

std::uint64_t message_count(const Op& op) {
  const SweepCounts counts(op.sweep);
  return std::accumulate(counts.taps.begin(), counts.taps.end(), op.commands.size() + counts.lines);
}

std::uint64_t weight_count(const Op& op) {
  if (op.sweep.empty() || !streams_weights(op)) return 0;
  const SweepCounts counts(op.sweep);
  return std::accumulate(counts.taps.begin(), counts.taps.end(), std::uint64_t{0});
}

std::vector<StreamEntry> entries(const Op& op) {
  std::vector<StreamEntry> list = op.commands;
  std::vector<Tap> taps;
  const bool values = streams_weights(op);
  for (SweepReader reader(op.sweep); reader.next();) {
    reader.dealt(taps);
    for (const Tap& tap : taps) {
      if (values && !is_constant(tap.source)) {
        list.push_back({head(tap), tap.source});
      } else {
        list.push_back({values ? head(tap) | constant(tap.source) : head(tap), StreamEntry::kLiteral});
      }
    }
    list.push_back({kCarriageReturn.data, StreamEntry::kCtrl});
  }
  return list;
}

}  // namespace weft
