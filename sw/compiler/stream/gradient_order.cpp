#include "sw/compiler/stream/gradient_order.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>

namespace weft::compiler {
namespace {

/// Joins outputs to groups, and groups to pieces.
class Joined {
 public:
  using Piece = GradientOrder::Piece;
  explicit Joined(const GradientOrder::Work& work) : work_(work) {}
  /// Adds the elements of an output, which must stay valid until flush().
  void add(std::span<const Element> elements, std::uint64_t further, std::size_t k) {
    const std::uint64_t step = further - last_;
    last_ = further;
    if (group_.outputs > 0 && are_same(elements, group_.elements) && (group_.outputs == 1 || step == group_.step)) {
      group_.step = step;
      ++group_.outputs;
      return;
    }
    end_group();
    group_ = {.elements = elements, .further = further, .outputs = 1, .groups = 1, .k = k};
  }
  void flush() {
    end_group();
    if (piece_.groups > 0) work_(piece_);
    piece_.groups = 0;
  }

 private:
  static bool are_same(std::span<const Element> a, std::span<const Element> b) {
    return a.data() == b.data() && a.size() == b.size();
  }
  void end_group() {
    if (group_.outputs == 0) return;
    const std::uint64_t step = group_.further - begin_;
    begin_ = group_.further;
    if (piece_.groups > 0 && are_same(piece_.elements, group_.elements) && piece_.outputs == group_.outputs &&
        piece_.step == group_.step && (piece_.groups == 1 || step == piece_.group_step)) {
      piece_.group_step = step;
      ++piece_.groups;
    } else {
      if (piece_.groups > 0) work_(piece_);
      piece_ = group_;
    }
    group_.outputs = 0;
  }

  const GradientOrder::Work& work_;
  Piece group_, piece_;                 // outputs 0, groups 0: none
  std::uint64_t last_ = 0, begin_ = 0;  // `further` of the last output, and of the last group
};

}  // namespace

GradientOrder::GradientOrder(const Op& op) : reader_(op.descriptor), row_begin_{0} {
  const int rows = op.descriptor.empty() ? 0 : op.descriptor.outputs->rows();
  marks_.resize(static_cast<std::size_t>(rows));
  std::vector<std::size_t> words(marks_.size());
  while (reader_.next()) {
    for (int r = 0; r < rows; ++r) {
      const auto row = static_cast<std::size_t>(r);
      if (marks_[row].empty() || words[row] >= marks_[row].back().word + kFar)
        marks_[row].push_back({words[row], reader_.place()});
      words[row] += reader_.count_of_row(r, elements_);
    }
  }
  for (std::size_t row = 0; row < marks_.size(); ++row) {
    for (Mark& mark : marks_[row]) mark.word += row_begin_.back();
    row_begin_.push_back(row_begin_.back() + words[row]);
  }
}

void GradientOrder::for_each(std::size_t first, std::size_t count, const Work& work) {
  if (first + count > words()) throw std::out_of_range("an op returns no more gradients than planned");
  std::size_t at = first;
  const std::size_t end = first + count;
  Joined joined(work);
  while (at < end) {
    const auto row = static_cast<std::size_t>(std::ranges::upper_bound(row_begin_, at) - row_begin_.begin()) - 1;
    const Mark& mark = *(std::ranges::upper_bound(marks_[row], at, {}, &Mark::word) - 1);
    reader_.go(mark.place);
    std::size_t word = mark.word;
    const std::size_t last = std::min(end, row_begin_[row + 1]);
    do {
      const std::size_t size = reader_.count_of_row(static_cast<int>(row), elements_);
      if (word + size > at) {
        const std::size_t to = std::min(last, word + size);
        // Elements common to all outputs are not listed again for each output.
        std::span<const Element> common;
        if (reader_.is_whole()) common = reader_.common(static_cast<std::size_t>(reader_.line()))[row];
        if (at < std::min(to, word + common.size())) {
          const auto some = common.subspan(at - word, std::min(to - at, word + common.size() - at));
          joined.add(some, reader_.further(static_cast<std::size_t>(reader_.line()), reader_.output()), at - first);
          at += some.size();
        }
        if (at < to) {
          joined.flush();
          reader_.of_row(static_cast<int>(row), elements_);
          work({.elements = std::span(elements_).subspan(at - word, to - at),
                .outputs = 1,
                .groups = 1,
                .k = at - first});
          at = to;
        }
      }
      word += size;
    } while (at < last && reader_.next());
    joined.flush();
  }
}

std::uint64_t GradientOrder::parameter(std::size_t word) {
  std::uint64_t source = 0;
  for_each(word, 1, [&](const Piece& piece) { source = piece.parameter(0, 0, 0); });
  return source;
}

std::vector<std::vector<std::uint64_t>> gradient_parameters(const Op& op) {
  std::vector<std::vector<std::uint64_t>> parameters(
      static_cast<std::size_t>(op.descriptor.empty() ? 0 : op.descriptor.outputs->rows()));
  std::vector<Element> elements;
  for (StreamReader reader(op.descriptor); reader.next();) {
    for (std::size_t row = 0; row < parameters.size(); ++row) {
      reader.of_row(static_cast<int>(row), elements);
      for (const Element& element : elements) parameters[row].push_back(element.source);
    }
  }
  return parameters;
}

std::uint64_t parameters_end(const StreamDescriptor& descriptor) {
  using Wide = unsigned __int128;  // numbers in a file are untrusted
  if (descriptor.empty()) return 0;
  const auto last = [](const Space& space, const HeadCopies& copies) {
    return static_cast<Wide>(copies.last(static_cast<std::uint64_t>(std::max(space.features(), 1))));
  };
  const Wide last_output = last(*descriptor.outputs, descriptor.outputs_copies);
  Wide most = 0;
  const auto see = [&](Wide parameter) { most = std::max(most, parameter + 1); };
  for (const std::vector<StreamDescriptor::Input>& line : descriptor.lines)
    for (const StreamDescriptor::Input& in : line)
      see(in.offset + last(*in.space, in.copies) * in.in_stride + last_output * in.out_stride);
  if (descriptor.bias) see(descriptor.bias->offset + last_output);
  for (const StreamDescriptor::Own& own : descriptor.own) see(own.offset + last(*descriptor.outputs, {}));
  return static_cast<std::uint64_t>(std::min<Wide>(most, std::numeric_limits<std::uint64_t>::max()));
}

std::vector<int> tensors_of(const StreamDescriptor& descriptor, std::span<const TensorInfo> tensors) {
  std::set<int> found;
  const auto add = [&](std::uint64_t offset) {
    const auto behind = std::ranges::upper_bound(tensors, offset, {}, &TensorInfo::offset);
    if (behind != tensors.begin()) found.insert(static_cast<int>(behind - tensors.begin()) - 1);
  };
  for (const std::vector<StreamDescriptor::Input>& line : descriptor.lines)
    for (const StreamDescriptor::Input& input : line) add(input.offset);
  if (descriptor.bias) add(descriptor.bias->offset);
  for (const StreamDescriptor::Own& own : descriptor.own) add(own.offset);
  return {found.begin(), found.end()};
}

}  // namespace weft::compiler
