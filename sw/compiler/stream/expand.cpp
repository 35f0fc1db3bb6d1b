#include "sw/compiler/stream/expand.hpp"

#include <algorithm>
#include <numeric>

#include "sw/compiler/stream/sinks.hpp"
#include "sw/compiler/stream/stream_counts.hpp"

namespace weft::compiler {
namespace {

constexpr machine::Message kCarriageReturn = machine::Message::command(machine::Command::CR, 0, 0);

std::vector<InterleavedLine> interleave(const StreamReader& reader, const StreamDescriptor& descriptor) {
  std::vector<InterleavedLine> lines;
  for (std::size_t line = 0; line < descriptor.lines.size() && reader.is_whole(); ++line)
    lines.emplace_back(reader.common(line), reader.out_stride(line));
  return lines;
}

std::uint32_t head(const Element& element) { return static_cast<std::uint32_t>(element.index) << 16; }

bool streams_weights(const Op& op) { return op.descriptor.values == StreamDescriptor::Values::Weights; }

}  // namespace

Expansion::Expansion(const Op& op)
    : op_(op),
      reader_(op.descriptor),
      interleaved_(interleave(reader_, op.descriptor)),
      staged_(op.descriptor, interleaved_) {}

bool Expansion::next(const Parameters& parameters, std::vector<machine::Message>& messages) {
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

std::size_t Expansion::fill(std::span<const bf16> values, machine::StreamPiece& made) {
  ValuesToPiece to{values, made, streams_weights(op_)};
  piece(to);
  return to.taken;
}

template <class Sink>
void Expansion::piece(Sink& to) {
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

template <class Sink>
void Expansion::line(Sink& to) {
  if (!interleaved_.empty()) {
    whole_line(to);
  } else if (reader_.is_whole_interleaved()) {
    reader_.is_numbered() ? numbered_line(to) : interleaved_line(to);
  } else {
    reader_.all_rows(elements_);
    for (const Element& element : elements_) {
      if (to.weights) {
        to.element(head(element), element.source);
      } else {
        to.fixed({head(element), false});
      }
    }
  }
  to.fixed(kCarriageReturn);
}

/// Emits the elements common to all outputs, with the bias and residual of this output inserted at their places.
template <class Sink>
void Expansion::whole_line(Sink& to) {
  const InterleavedLine& interleaved = interleaved_[static_cast<std::size_t>(reader_.line())];
  const std::uint64_t further = reader_.further(static_cast<std::size_t>(reader_.line()), reader_.output());
  const bf16* staged = nullptr;
  if constexpr (Sink::kStages) {
    if (staged_.is_usable() && to.weights && !to.parameters.empty()) staged = staged_.next(to.parameters);
  }
  std::size_t t = 0;
  const auto until = [&](std::size_t end) {
    while (t < end) {
      const Stretch some{interleaved, t, std::min(end, t + Stretch::kMost), further, staged};
      to.some(some);
      t = some.end;
    }
  };
  for (const Element& element : reader_.extras()) {
    until(interleaved.last[element.row]);
    to.element(head(element), element.source);
  }
  until(interleaved.destinations.size());
}

/// Emits the elements in the order of StreamReader::all_rows(), without making lists of elements.
template <class Sink>
void Expansion::interleaved_line(Sink& to) {
  const auto line = static_cast<std::size_t>(reader_.line());
  const std::vector<std::vector<Element>>& common = reader_.common(line);
  const std::vector<std::vector<Element>>& extras = reader_.interleaved_extras();
  const auto each = static_cast<std::size_t>(op_.descriptor.interleave->each);
  const int* const outputs = op_.descriptor.outputs->on_row(reader_.home()).data() + reader_.place().slot;
  ends_.clear();
  for (std::size_t row = 0; row < common.size(); ++row)
    ends_.push_back(reader_.count_of_row(static_cast<int>(row), elements_));
  const std::size_t rounds = (*std::ranges::max_element(ends_) + each - 1) / each;
  for (std::size_t k = 0; k < rounds; ++k)
    for (std::size_t n = 0; n < each; ++n) {
      const bool missing = n >= extras.size();
      const std::uint64_t further = missing ? 0 : reader_.further(line, outputs[n]);
      for (std::size_t row = 0; row < common.size(); ++row) {
        if (k * each + n >= ends_[row]) continue;
        Element element = reader_.pad(static_cast<int>(row));
        const std::size_t own = common[row].size();
        if (!missing && k < own) {
          element = common[row][k];
          element.source += further;
        } else if (!missing) {
          std::size_t behind = own;
          for (const Element& extra : extras[n])
            if (extra.row == row && behind++ == k) element = extra;
        }
        to.element(head(element), element.source);
      }
    }
}

/// As interleaved_line(), for outputs whose numbers are in the indices.
template <class Sink>
void Expansion::numbered_line(Sink& to) {
  const auto line = static_cast<std::size_t>(reader_.line());
  const std::vector<std::vector<Element>>& common = reader_.common(line);
  const std::vector<std::vector<Element>>& extras = reader_.interleaved_extras();
  const auto each = static_cast<std::size_t>(op_.descriptor.interleave->each);
  const int* const outputs = op_.descriptor.outputs->on_row(reader_.home()).data() + reader_.place().slot;
  orders_.resize(common.size());
  std::size_t longest = 0;
  for (std::size_t row = 0; row < common.size(); ++row) {
    orders_[row] = reader_.whole_order(static_cast<int>(row));
    longest = std::max(longest, orders_[row].size());
  }
  sent_.assign(common.size() * each, 0);
  for (std::size_t at = 0; at < longest; ++at)
    for (std::size_t row = 0; row < common.size(); ++row) {
      if (at >= orders_[row].size()) continue;
      const std::uint8_t n = orders_[row][at];
      const std::size_t k = sent_[row * each + n]++, own = common[row].size();
      Element element = reader_.pad(static_cast<int>(row));
      if (n < extras.size() && k < own) {
        element = common[row][k];
        element.source += reader_.further(line, outputs[n]);
      } else if (n < extras.size()) {
        std::size_t behind = own;
        for (const Element& extra : extras[n])
          if (extra.row == row && behind++ == k) element = extra;
      }
      element.index |= n;
      to.element(head(element), element.source);
    }
}

bool has_weights(const Op& op) {
  const auto of_parameter = [](const StreamEntry& entry) { return entry.source < StreamEntry::kLiteral; };
  return (!op.descriptor.empty() && streams_weights(op)) || std::ranges::any_of(op.commands, of_parameter);
}

void expand(const Op& op, std::span<const float> parameters, std::vector<machine::Message>& messages) {
  messages.clear();
  Expansion expansion(op);
  while (expansion.next(parameters, messages)) {
  }
}

std::uint64_t message_count(const Op& op) {
  const StreamCounts counts(op.descriptor);
  return std::accumulate(counts.elements.begin(), counts.elements.end(), op.commands.size() + counts.lines);
}

std::uint64_t weight_count(const Op& op) {
  if (op.descriptor.empty() || !streams_weights(op)) return 0;
  const StreamCounts counts(op.descriptor);
  return std::accumulate(counts.elements.begin(), counts.elements.end(), std::uint64_t{0});
}

std::vector<StreamEntry> entries(const Op& op) {
  std::vector<StreamEntry> list = op.commands;
  std::vector<Element> elements;
  const bool values = streams_weights(op);
  for (StreamReader reader(op.descriptor); reader.next();) {
    reader.all_rows(elements);
    for (const Element& element : elements) {
      if (values && !is_constant(element.source)) {
        list.push_back({head(element), element.source});
      } else {
        list.push_back({values ? head(element) | constant(element.source) : head(element), StreamEntry::kLiteral});
      }
    }
    list.push_back({kCarriageReturn.data, StreamEntry::kCtrl});
  }
  return list;
}

}  // namespace weft::compiler
