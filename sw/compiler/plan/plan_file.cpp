#include "sw/compiler/plan/plan_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "sw/base/archive.hpp"
#include "sw/base/crc32c.hpp"
#include "sw/base/quoted_lines.hpp"
#include "sw/compiler/plan/plan_fields.hpp"
#include "sw/compiler/plan/plan_plausible.hpp"

namespace weft::compiler {
namespace {

constexpr char kMagic[] = {'W', 'E', 'F', 'T', 'P', 'L', 'A', 'N'};
constexpr std::uint32_t kVersion = 11;
constexpr std::size_t kHeader = 32, kChecked = 16;  // the checksum covers the bytes after itself

/// FNV-1a (Fowler, Noll, Vo).
std::uint64_t digest_of(std::span<const std::uint8_t> bytes) {
  std::uint64_t h = 0xcbf29ce484222325U;
  for (const std::uint8_t byte : bytes) h = (h ^ byte) * 0x100000001b3U;
  return h;
}

using Placements = std::vector<std::shared_ptr<const Space>>;

StoredOp store(const Op& op, Placements& known) {
  const auto number = [&](const std::shared_ptr<const Space>& space) {
    if (space == nullptr) return -1;
    const auto at = std::ranges::find(known, space);
    if (at != known.end()) return static_cast<int>(at - known.begin());
    known.push_back(space);
    return static_cast<int>(known.size()) - 1;
  };
  const StreamDescriptor& s = op.descriptor;
  StoredOp stored{op.name,          op.commands, op.tensors, op.returns, op.returned,  s.values, number(s.outputs),
                  s.outputs_copies, {},          s.bias,     s.residual, s.interleave, s.own,    s.together,
                  s.kept != nullptr};
  for (const auto& line : s.lines) {
    auto& inputs = stored.lines.emplace_back();
    for (const StreamDescriptor::Input& in : line)
      inputs.push_back({number(in.space), in.local, in.offset, in.in_stride, in.out_stride, in.from, in.to, in.copies});
  }
  return stored;
}

Op restore(StoredOp&& stored, const Placements& known, const std::shared_ptr<const std::vector<bool>>& kept) {
  const auto space = [&](int number) {
    if (number < 0 || number >= static_cast<int>(known.size())) throw ArchiveEnds{};
    return known[static_cast<std::size_t>(number)];
  };
  Op op{std::move(stored.name), std::move(stored.commands), {}, std::move(stored.tensors),
        stored.returns,         std::move(stored.returned)};
  if (stored.outputs >= 0) op.descriptor.outputs = space(stored.outputs);
  op.descriptor.values = stored.values;
  op.descriptor.outputs_copies = stored.outputs_copies;
  for (const auto& line : stored.lines) {
    auto& inputs = op.descriptor.lines.emplace_back();
    for (const StoredInput& in : line)
      inputs.push_back({space(in.space), in.local, in.offset, in.in_stride, in.out_stride, in.from, in.to, in.copies});
  }
  op.descriptor.bias = stored.bias, op.descriptor.residual = stored.residual, op.descriptor.own = std::move(stored.own);
  op.descriptor.interleave = stored.interleave;
  op.descriptor.together = stored.together;
  if (stored.masked) op.descriptor.kept = kept;
  return op;
}

/// True if a terminal shows all names unchanged, as code that prints parts of a plan assumes.
bool names_are_plain(const Plan& plan) {
  const auto plain = [](const std::string& name) { return is_plain(name); };
  return std::ranges::all_of(plan.ops, plain, &Op::name) &&
         std::ranges::all_of(plan.tensors, plain, &TensorInfo::name) &&
         std::ranges::all_of(plan.arrays, plain, &ArraySymbol::name) &&
         std::ranges::all_of(plan.program.kernels, plain, &assembler::Kernel::name) &&
         std::ranges::all_of(plan.program.files, plain);
}

template <class Archive>
void body(Archive& a, SavedPlan& saved, std::vector<std::vector<std::vector<int>>>& placements,
          std::vector<StoredOp>& ops) {
  a(saved.network);
  fields_without_ops(a, saved.plan);
  a(placements, ops);
}

}  // namespace

std::vector<std::uint8_t> encode_plan(const SavedPlan& saved) {
  Placements known;
  std::vector<StoredOp> ops;
  for (const Op& op : saved.plan.ops) ops.push_back(store(op, known));
  std::vector<std::vector<std::vector<int>>> placements;
  for (const auto& space : known) {
    auto& at = placements.emplace_back();
    for (int row = 0; row < space->rows(); ++row) at.push_back(space->on_row(row));
  }
  ArchiveWriter rest;
  body(rest, const_cast<SavedPlan&>(saved), placements, ops);  // writing only reads
  ArchiveWriter checked;
  checked(std::uint64_t{rest.bytes.size()}, digest_of(rest.bytes));
  checked.bytes.insert(checked.bytes.end(), rest.bytes.begin(), rest.bytes.end());
  ArchiveWriter file;
  for (const char c : kMagic) file(static_cast<std::uint8_t>(c));
  file(kVersion, crc32c(checked.bytes));
  file.bytes.insert(file.bytes.end(), checked.bytes.begin(), checked.bytes.end());
  return std::move(file.bytes);
}

std::uint64_t digest_in(std::span<const std::uint8_t> bytes) {
  std::uint64_t digest = 0;
  ArchiveReader head(bytes.subspan(kHeader - sizeof digest));
  head(digest);
  return digest;
}

SavedPlan decode_plan(std::span<const std::uint8_t> bytes, const std::string& file) {
  constexpr auto kAgain = "compile it again: --mode compile_only --save FILE";
  if (bytes.size() < sizeof kMagic || std::memcmp(bytes.data(), kMagic, sizeof kMagic) != 0)
    throw Refusal(file, "is not a plan", "name a file that --mode compile_only --save has written");
  if (bytes.size() < kHeader) throw Refusal(file, "is damaged: the file ends within the header", kAgain);
  std::uint32_t version = 0, crc = 0;
  std::uint64_t size = 0;
  SavedPlan saved;
  ArchiveReader head(bytes.subspan(sizeof kMagic));
  head(version, crc, size, saved.digest);
  if (version != kVersion)
    throw Refusal(file, fmt::format("is a plan of version {}, and this program runs {}", version, kVersion), kAgain);
  const auto rest = bytes.subspan(kHeader);
  if (rest.size() != size)
    throw Refusal(file, fmt::format("is damaged: the file has {} bytes after the header, not {}", rest.size(), size),
                  kAgain);
  if (crc32c(bytes.subspan(kChecked)) != crc || digest_of(rest) != saved.digest)
    throw Refusal(file, "is damaged: its digest does not match", kAgain);
  try {
    std::vector<std::vector<std::vector<int>>> listed;
    std::vector<StoredOp> ops;
    ArchiveReader reader(rest);
    body(reader, saved, listed, ops);
    Plan& plan = saved.plan;
    if (!plausible(plan.tensors, plan.parameters)) throw ArchiveEnds{};
    Placements placements;
    for (auto& at : listed) placements.push_back(std::make_shared<const Space>(Space::listed(std::move(at))));
    const auto kept = plan.mask.empty()
                          ? nullptr
                          : std::make_shared<const std::vector<bool>>(kept_parameters(plan.tensors, plan.mask));
    for (StoredOp& op : ops) plan.ops.push_back(restore(std::move(op), placements, kept));
    if (!reader.done() || !plausible(plan, placements) || !names_are_plain(plan)) throw ArchiveEnds{};
    plan.memory_map = quoted_lines(plan.memory_map);
  } catch (const ArchiveEnds&) {
    throw Refusal(file, "is damaged: its digest matches, but its content is invalid", kAgain);
  } catch (const std::invalid_argument& e) {
    throw Refusal(file, fmt::format("is damaged: its digest matches, but {}", e.what()), kAgain);
  }
  return saved;
}

}  // namespace weft::compiler
