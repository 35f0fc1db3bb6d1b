#include "tests/compiler/written_out/op_builder.hpp"

#include <algorithm>
#include <utility>

namespace weft::compiler::written_out {
namespace {

constexpr std::uint32_t kBf16One = 0x3f80;

const StreamEntry kCarriageReturn = {machine::Message::command(machine::Command::CR, 0, 0).data, StreamEntry::kCtrl};

}  // namespace

OpBuilder::OpBuilder(const machine::WaferShape& wafer, const assembler::Program& program, std::string name,
                     const std::vector<bool>& kept)
    : wafer_(wafer), program_(program), kept_(kept) {
  op_.name = std::move(name);
  op_.returned.assign(wafer.rows, 0);
}

OpBuilder& OpBuilder::call(std::string_view kernel, const std::vector<Argument>& arguments) {
  for (const machine::Message& m : call_messages(program_, kernel, arguments))
    op_.stream.push_back({m.data, StreamEntry::kCtrl});
  return *this;
}

OpBuilder& OpBuilder::call_before(std::string_view kernel, const std::vector<Argument>& arguments) {
  std::vector<StreamEntry> stream = std::exchange(op_.stream, {});
  call(kernel, arguments);
  op_.stream.insert(op_.stream.end(), stream.begin(), stream.end());
  return *this;
}

OpBuilder& OpBuilder::reads(int tensor) {
  op_.tensors.push_back(tensor);
  return *this;
}

bool OpBuilder::exists(const Element& element) const {
  return kept_.empty() || element.source == Element::kOne || kept_[element.source];
}

int OpBuilder::interleave(const std::vector<Element>& elements, const std::function<void(const Element&)>& emit) {
  std::vector<std::vector<const Element*>> rows(wafer_.rows);
  for (const Element& element : elements)
    if (exists(element)) rows[element.row].push_back(&element);
  std::size_t fullest = 0;
  for (const auto& row : rows) fullest = std::max(fullest, row.size());
  for (std::size_t k = 0; k < fullest; ++k)
    for (const auto& row : rows)
      if (k < row.size()) emit(*row[k]);
  op_.stream.push_back(kCarriageReturn);
  return static_cast<int>(fullest);
}

OpBuilder& OpBuilder::output(const std::vector<Element>& elements) {
  interleave(elements, [&](const Element& element) {
    const std::uint32_t index = static_cast<std::uint32_t>(element.row) << wafer_.row_shift() | element.local;
    const bool literal = element.source == Element::kOne;
    op_.stream.push_back({index << 16 | (literal ? kBf16One : 0), element.source});
  });
  return *this;
}

OpBuilder& OpBuilder::gradient(const std::vector<Element>& elements, Returns kind) {
  op_.returns = kind;
  op_.gradient.resize(wafer_.rows);
  const int fullest = interleave(elements, [&](const Element& element) {
    const std::uint32_t index = static_cast<std::uint32_t>(element.row) << wafer_.row_shift() | element.local;
    op_.stream.push_back({index << 16, StreamEntry::kLiteral});
    op_.gradient[element.row].push_back(element.source);
    ++op_.returned[element.row];
  });
  ++indices_[fullest];
  return *this;
}

OpBuilder& OpBuilder::returns(Returns kind, std::vector<std::uint32_t> words) {
  op_.returns = kind;
  op_.returned = std::move(words);
  return *this;
}

WrittenOp OpBuilder::take() { return std::move(op_); }

}  // namespace weft::compiler::written_out
