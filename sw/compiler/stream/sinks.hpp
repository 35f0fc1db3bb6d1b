/// Sinks of a stream that Expansion generates: messages from parameters, the parameters' values alone, or a piece of
/// messages from values.
///
/// Each sink receives the stream in order: `fixed` messages, `element`s, and stretches of a line's elements (`some`).
/// `weights`: the descriptor's elements have a value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sw/base/bf16.hpp"
#include "sw/compiler/stream/op.hpp"
#include "sw/compiler/stream/parameters.hpp"
#include "sw/compiler/stream/staged.hpp"
#include "sw/machine/data_messages.hpp"
#include "sw/machine/stream_piece.hpp"

namespace weft::compiler {

/// Some elements of a line: those of `interleaved` in [begin, end), with parameters `further` on. `staged`: values of
/// all elements of the line, or null.
struct Stretch {
  static constexpr std::size_t kMost = 1024;  ///< elements, few enough to stay in the cache
  const InterleavedLine& interleaved;
  std::size_t begin, end;
  std::uint64_t further;
  const bf16* staged;
  std::size_t size() const { return end - begin; }
  std::span<const std::uint32_t> destinations() const {
    return std::span(interleaved.destinations).subspan(begin, size());
  }

  /// The bf16s of `parameters`, or zeros.
  void values(const Parameters& parameters, bf16* to) const {
    if (staged != nullptr) {
      std::copy(staged + begin, staged + end, to);
    } else if (parameters.empty()) {
      std::fill_n(to, size(), bf16{0});
    } else {
      interleaved.for_each_run(begin, end, [&](std::size_t first, std::size_t last) {
        const float* const from = parameters.at(further + interleaved.sources[first], last - first);
        for (std::size_t k = first; k < last; ++k) to[k - begin] = to_bf16(as_bits(from[k - first]));
      });
    }
  }
};

/// Sources that are no parameters, and their values.
inline bool is_constant(std::uint64_t source) { return source >= Element::kPad; }
inline bf16 constant(std::uint64_t source) {
  constexpr bf16 kMinusZero = 0x8000;
  return source == Element::kOne ? kOneBf16 : kMinusZero;
}

struct ParametersToMessages {
  static constexpr bool kStages = true;
  const Parameters& parameters;
  std::vector<machine::Message>& to;
  bool weights;

  std::size_t count() const { return to.size(); }
  void fixed(machine::Message message) { to.push_back(message); }
  void entry(std::uint32_t head, std::uint64_t source) { to.push_back({head | value(source, true), false}); }
  void element(std::uint32_t head, std::uint64_t source) { to.push_back({head | value(source, weights), false}); }
  void some(const Stretch& elements) {
    bf16 here[Stretch::kMost];
    const bf16* values = nullptr;
    if (weights && elements.staged != nullptr) {
      values = elements.staged + elements.begin;
    } else if (weights) {
      elements.values(parameters, here);
      values = here;
    }
    machine::append_data(elements.destinations(), values, to);
  }
  bf16 value(std::uint64_t source, bool has) const {
    if (is_constant(source)) return constant(source);
    return has && !parameters.empty() ? to_bf16(as_bits(parameters[source])) : bf16{0};
  }
};

struct ParametersToValues {
  static constexpr bool kStages = true;
  const Parameters& parameters;
  std::vector<bf16>& to;
  bool weights;
  std::size_t messages = 0;

  std::size_t count() const { return messages; }
  void fixed(machine::Message /*message*/) { ++messages; }
  void entry(std::uint32_t /*head*/, std::uint64_t source) { add(source, true); }
  void element(std::uint32_t /*head*/, std::uint64_t source) { add(source, weights); }
  void some(const Stretch& elements) {
    messages += elements.size();
    if (!weights) return;
    to.resize(to.size() + elements.size());
    elements.values(parameters, &to[to.size() - elements.size()]);
  }
  void add(std::uint64_t source, bool has) {
    ++messages;
    if (!has || is_constant(source)) return;
    to.push_back(parameters.empty() ? bf16{0} : to_bf16(as_bits(parameters[source])));
  }
};

struct ValuesToPiece {
  static constexpr bool kStages = false;
  std::span<const bf16> values;
  machine::StreamPiece& to;
  bool weights;
  std::size_t taken = 0, made = 0;

  std::size_t count() const { return made; }
  void fixed(machine::Message message) {
    to.messages.push_back(message);
    ++made;
  }
  void entry(std::uint32_t head, std::uint64_t source) { fixed({head | value(source, true), false}); }
  void element(std::uint32_t head, std::uint64_t source) { fixed({head | value(source, weights), false}); }
  void some(const Stretch& elements) {
    const bool here = weights && taken + elements.size() <= values.size();
    to.runs.push_back({to.messages.size(), elements.destinations(), here ? values.data() + taken : nullptr});
    made += elements.size();
    if (weights) taken += elements.size();
  }
  bf16 value(std::uint64_t source, bool has) {
    if (is_constant(source)) return constant(source);
    if (!has) return 0;
    return taken++ < values.size() ? values[taken - 1] : bf16{0};
  }
};

}  // namespace weft::compiler
