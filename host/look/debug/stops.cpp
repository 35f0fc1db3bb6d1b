#include "host/look/debug/stops.hpp"

#include <fmt/format.h>

#include "verif/trace/filter.hpp"

namespace weft::debug {
namespace {

constexpr unsigned kDecode = 2;  // StDecode of rtl/pe/pe_scalar_pkg.sv
constexpr std::size_t kRamp = 4;

MessageNames names_of(const Plan& plan) {
  MessageNames names{.rows = plan.wafer.rows, .kernels = {}, .pairs = 0};
  for (const Kernel& kernel : plan.program.kernels) names.kernels[kernel.address] = kernel.name;
  return names;
}

std::string word(std::uint64_t message, const Plan& plan) {
  return message_words(static_cast<unsigned>(message >> 32 & 31), (message >> 37 & 1) != 0,
                       static_cast<std::uint32_t>(message), names_of(plan));
}

/// What happened in the tile that the stop is for; empty: nothing.
std::string happened(const Stop& stop, const Target& target, TilePlace tile, std::uint8_t flags_before) {
  const TileView& v = target.view(tile);
  switch (stop.kind) {
    case Stop::Kind::Instruction:
      for (const auto& [thread, name] : {std::pair(&v.main, "main"), std::pair(&v.psum, "psum")})
        if (thread->state == kDecode && thread->pc == stop.pc)
          return fmt::format("{} is at {}", name, InstructionNames(target.plan().program).at(stop.pc));
      return "";
    case Stop::Kind::Message: {
      const PortView& ramp = v.ports[kRamp];
      if (ramp.out_valid && (ramp.out >> 32 & 31) == stop.color) return "gets " + word(ramp.out, target.plan());
      if (ramp.in_valid && (ramp.in >> 32 & 31) == stop.color) return "sends " + word(ramp.in, target.plan());
      return "";
    }
    case Stop::Kind::Write:
      for (unsigned lane = 0; v.m_lanes >> lane; ++lane) {
        const unsigned element = v.m_element + lane;
        if ((v.m_lanes >> lane & 1) && element >= stop.first && element <= stop.last)
          return fmt::format("writes {} to M[{:#x}]", decimal_bf16(v.m_value[lane]), element);
      }
      return "";
    case Stop::Kind::Flag:
      if (const unsigned set = v.flags & ~unsigned{flags_before}; set != 0)
        return "sets " + words_of(WordsMode::Flags, fmt::format("{:x}", set), {}, false);
      return "";
    case Stop::Kind::Phase:
      return "";
  }
  return "";
}

}  // namespace

std::size_t Stops::add(Stop stop) {
  stops_.emplace_back(std::move(stop));
  return stops_.size() - 1;
}

bool Stops::remove(std::size_t number) {
  if (number >= stops_.size() || !stops_[number]) return false;
  stops_[number].reset();
  return true;
}

void Stops::forget(const Target& target) {
  flags_.clear();
  for (int r = 0; r < target.plan().wafer.rows; ++r)
    for (int c = 0; c < target.plan().wafer.cols; ++c) flags_.push_back(target.view({r, c}).flags);
}

std::optional<Hit> Stops::look(const Target& target) {
  const WaferShape& shape = target.plan().wafer;
  if (flags_.size() != static_cast<std::size_t>(shape.rows * shape.cols)) forget(target);
  std::optional<Hit> hit;
  for (std::size_t n = 0; n < stops_.size() && !hit; ++n) {
    if (!stops_[n]) continue;
    for (int r = 0; r < shape.rows && !hit; ++r) {
      for (int c = 0; c < shape.cols && !hit; ++c) {
        const TilePlace tile{r, c};
        if (stops_[n]->tile && !(*stops_[n]->tile == tile)) continue;
        const auto before = flags_[static_cast<std::size_t>(r * shape.cols + c)];
        if (std::string what = happened(*stops_[n], target, tile, before); !what.empty())
          hit = Hit{.stop = n, .tile = tile, .what = std::move(what)};
      }
    }
  }
  forget(target);
  return hit;
}

}  // namespace weft::debug
