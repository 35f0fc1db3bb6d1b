#include "sw/compiler/expand.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "sw/base/bf16.hpp"
#include "sw/compiler/sweep_counts.hpp"

namespace weft {
namespace {

constexpr Message kCarriageReturn = Message::command(Command::CR, 0, 0);
constexpr bf16 kMinusZero = 0x8000;

std::vector<DealtLine> deal(const SweepReader& reader, const Sweep& sweep) {
  std::vector<DealtLine> lines;
  for (std::size_t line = 0; line < sweep.lines.size() && reader.is_whole(); ++line)
    lines.emplace_back(reader.common(line), reader.out_stride(line));
  return lines;
}

/// A data message in one word, so that loops over it become vectors.
std::uint64_t data(std::uint32_t word) {
  static_assert(std::endian::native == std::endian::little && sizeof(Message) == 8);
  return word;
}

/// What a weight's message has of its value.
std::uint32_t value_of(std::uint64_t source, const Parameters& parameters) {
  if (source == Tap::kOne) return kOneBf16;
  if (source == Tap::kPad) return kMinusZero;
  return parameters.empty() ? 0 : to_bf16(as_bits(parameters[source]));
}

}  // namespace

Expansion::Expansion(const Op& op)
    : op_(op), reader_(op.sweep), dealt_(deal(reader_, op.sweep)), staged_(op.sweep, dealt_) {}

bool Expansion::next(const Parameters& parameters, std::vector<Message>& messages) {
  const std::size_t before = messages.size();
  if (!begun_) {
    begun_ = true;
    for (const StreamEntry& entry : op_.commands) {
      const bool literal = entry.source >= StreamEntry::kLiteral || parameters.empty();
      messages.push_back(
          {literal ? entry.data : entry.data | value_of(entry.source, parameters), entry.source == StreamEntry::kCtrl});
    }
  }
  while (messages.size() - before < kPiece && reader_.next()) line(parameters, messages);
  return messages.size() > before;
}

void Expansion::line(const Parameters& parameters, std::vector<Message>& messages) {
  const bool values = op_.sweep.values == Sweep::Values::Weights && !parameters.empty();
  if (!dealt_.empty()) {
    whole_line(values ? parameters : Parameters(std::span<const float>{}), messages);
  } else if (reader_.is_whole_dealt()) {
    dealt_line(values ? parameters : Parameters(std::span<const float>{}), messages);
  } else {
    reader_.dealt(taps_);
    for (const Tap& tap : taps_)
      messages.push_back(
          {static_cast<std::uint32_t>(tap.index) << 16 | (values ? value_of(tap.source, parameters) : 0), false});
  }
  messages.push_back(kCarriageReturn);
}

/// The taps of all outputs, between which this output's bias and residual belong.
void Expansion::whole_line(const Parameters& parameters, std::vector<Message>& messages) {
  const DealtLine& dealt = dealt_[static_cast<std::size_t>(reader_.line())];
  const std::uint64_t further = static_cast<std::uint64_t>(reader_.output()) * dealt.out_stride;
  const std::uint16_t* const staged = staged_.helps() && !parameters.empty() ? staged_.next(parameters) : nullptr;
  const std::uint32_t* const heads = dealt.heads.data();
  std::size_t t = 0;
  const auto some = [&](std::size_t end) {  // at most kChunk
    std::uint64_t* const to = words_.data();
    if (staged != nullptr) {
      for (std::size_t k = t; k < end; ++k) to[k - t] = data(heads[k] | staged[k]);
    } else if (parameters.empty()) {
      for (std::size_t k = t; k < end; ++k) to[k - t] = data(heads[k]);
    } else {
      dealt.for_each_run(t, end, [&](std::size_t first, std::size_t last) {
        const float* const from = parameters.at(further + dealt.sources[first], last - first);
        for (std::size_t k = first; k < last; ++k) to[k - t] = data(heads[k] | to_bf16(as_bits(from[k - first])));
      });
    }
    std::memcpy(static_cast<void*>(made_.data()), words_.data(), (end - t) * sizeof(Message));
    messages.insert(messages.end(), made_.data(), made_.data() + (end - t));
    t = end;
  };
  const auto until = [&](std::size_t end) {
    while (t < end) some(std::min(end, t + kChunk));
  };
  for (const Tap& tap : reader_.extras()) {
    until(dealt.last[tap.row]);
    messages.push_back({static_cast<std::uint32_t>(tap.index) << 16 | value_of(tap.source, parameters), false});
  }
  until(dealt.heads.size());
}

/// As SweepReader::dealt() has them, without lists of taps.
void Expansion::dealt_line(const Parameters& parameters, std::vector<Message>& messages) {
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
        messages.push_back({static_cast<std::uint32_t>(tap.index) << 16 | value_of(tap.source, parameters), false});
      }
    }
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

std::vector<StreamEntry> entries(const Op& op) {
  std::vector<StreamEntry> list = op.commands;
  std::vector<Tap> taps;
  const bool values = op.sweep.values == Sweep::Values::Weights;
  for (SweepReader reader(op.sweep); reader.next();) {
    reader.dealt(taps);
    for (const Tap& tap : taps) {
      const std::uint32_t index = static_cast<std::uint32_t>(tap.index) << 16;
      if (!values || tap.source >= Tap::kPad) {
        list.push_back(
            {values ? index | value_of(tap.source, std::span<const float>{}) : index, StreamEntry::kLiteral});
      } else {
        list.push_back({index, tap.source});
      }
    }
    list.push_back({kCarriageReturn.data, StreamEntry::kCtrl});
  }
  return list;
}

}  // namespace weft
