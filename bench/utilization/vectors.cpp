#include "bench/utilization/vectors.hpp"

#include <bit>
#include <random>
#include <stdexcept>

#include "bench/utilization/vector_kernels.hpp"
#include "sw/base/bf16.hpp"
#include "sw/compiler/program/call.hpp"
#include "sw/compiler/program/load.hpp"
#include "verif/model/numbers/numbers.hpp"

namespace weft::bench {
namespace {

constexpr unsigned kVectorSeed = 3;
constexpr std::uint16_t kA = 0x3f40;  // the scalar of AXPY: 0.75
constexpr int kVectorOutputs = 4;     // for GEMM
constexpr const char* kNames[] = {"axpy", "dot", "gemv", "gemm"};

int entries_of(const VectorJob& job, int lanes) {
  if (job.operation == Operation::Axpy) return 0;
  if (job.operation == Operation::Dot) return 8 * job.vectors;
  return job.elements / lanes * (job.operation == Operation::Gemm ? kVectorOutputs : 1);
}

}  // namespace

VectorTile::VectorTile(Wafer& wafer, const VectorJob& job) : wafer_(wafer), job_(job), lanes_(wafer.shape().lanes) {
  const int size = wafer.shape().sram_elements(), all = job.vectors * job.elements;
  const int upper = static_cast<int>(std::bit_floor(static_cast<unsigned>(size - 1)));
  other_ = job.halves ? upper : all;
  list_ = other_ + std::max(job.elements, kVectorOutputs * job.vectors);
  if (all > other_ || list_ + job.vectors > size || job.elements % (8 * lanes_) || entries_of(job, lanes_) > 256)
    throw std::invalid_argument("so many vectors, or elements, have no room in a tile");
  program_ = assembler::assemble(kVectorKernels, "vector_kernels",
                                 {{"N", job.elements},
                                  {"BEATS", job.elements / lanes_},
                                  {"EIGHT", 8 * lanes_},
                                  {"RESTS", job.elements / (8 * lanes_) - 1}});

  std::mt19937 rng(kVectorSeed);
  std::normal_distribution<float> normal;
  memory_.resize(static_cast<std::size_t>(size));
  for (int i = 0; i < list_; ++i) memory_[static_cast<std::size_t>(i)] = nearest_bf16(normal(rng));
  for (int v = 0; v < job.vectors; ++v) places_.push_back(v);
  if (job.order != Order::Contiguous) std::shuffle(places_.begin(), places_.end(), rng);
  for (int& place : places_) place *= job.elements;
  for (int v = 0; v < job.vectors; ++v)
    memory_[static_cast<std::size_t>(list_ + v)] = static_cast<std::uint16_t>(vector_at(v));

  send(compiler::route_messages(wafer.shape()));
  send(compiler::program_messages(program_));
  store(0, memory_);
}

void VectorTile::send(const std::vector<machine::Message>& messages) {
  wafer_.feed(messages);
  wafer_.settle();
}

void VectorTile::store(int address, const std::vector<std::uint16_t>& values) {
  std::vector<machine::Message> messages = {
      machine::Message::command(machine::Command::Maddr, 0, static_cast<std::uint16_t>(address))};
  for (const std::uint16_t value : values)
    messages.push_back(machine::Message::command(machine::Command::Mdata, 0, value));
  send(messages);
}

Work VectorTile::run(int vectors) {
  std::string kernel = kNames[static_cast<int>(job_.operation)];
  std::vector<compiler::Argument> arguments;
  std::vector<machine::Message> stream;
  if (job_.order == Order::Streamed) {
    kernel += "_streamed";
    arguments = {{"mask", std::bit_ceil(static_cast<unsigned>(job_.vectors)) - 1}};
    for (int v = 0; v < vectors; ++v)
      stream.push_back(machine::Message::weight(static_cast<std::uint16_t>(vector_at(v) / job_.elements),
                                                memory_[static_cast<std::size_t>(other_ + v)]));
    stream.push_back(machine::Message::command(machine::Command::CR, 0, 0));
  } else {
    const bool listed = job_.order == Order::Listed;
    if (listed) kernel += "_listed";
    arguments = {{"at", listed ? list_ : 0}, {"vectors", vectors}};
    const bool scalars = job_.operation == Operation::Gemv || job_.operation == Operation::Gemm;
    arguments.push_back({scalars ? "w" : "y", other_});
    if (job_.operation == Operation::Axpy) arguments.push_back({"a", kA});
  }
  const std::vector<machine::Message> call = compiler::call_messages(program_, kernel, arguments);
  return measure(wafer_, [&] {
    wafer_.feed(call);
    wafer_.feed(stream);
    wafer_.settle();
  });
}

void VectorTile::check(int vectors) const {
  std::vector<std::uint16_t> m = memory_;
  std::vector<std::uint32_t> r(static_cast<std::size_t>(256 * lanes_));
  const auto at = [&](int address) -> std::uint16_t& { return m[static_cast<std::size_t>(address)]; };
  const auto add = [&](int entry, int e, std::uint16_t x, std::uint16_t w) {
    std::uint32_t& sum = r[static_cast<std::size_t>(entry * lanes_ + e)];
    sum = model::fma_bits(x, w, sum);
  };
  for (int v = 0; v < vectors; ++v) {
    for (int e = 0; e < job_.elements; ++e) {
      const std::uint16_t x = at(vector_at(v) + e);
      if (job_.operation == Operation::Axpy) at(other_ + e) = to_bf16(model::fma_bits(x, kA, widen(at(other_ + e))));
      if (job_.operation == Operation::Dot) add(8 * v, e % (8 * lanes_), x, at(other_ + e));
      if (job_.operation == Operation::Gemv) add(0, e, x, at(other_ + v));
      for (int o = 0; o < kVectorOutputs && job_.operation == Operation::Gemm; ++o)
        add(o * job_.elements / lanes_, e, x, at(other_ + kVectorOutputs * v + o));
    }
  }
  const machine::TileState state = wafer_.state(0, 0);
  if (state.memory != m) throw std::runtime_error("memory is not what the vectors give");
  if (state.accumulators != r) throw std::runtime_error("R is not what the vectors give");
  if (!wafer_.flags().empty()) throw std::runtime_error("flags: " + wafer_.flags());
}

}  // namespace weft::bench
