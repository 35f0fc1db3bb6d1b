/// vdot: the sparse gradient's dot products, up to sixteen indices at a time.
#include "sw/machine/gather.hpp"
#include "sw/machine/message.hpp"
#include "verif/model/edge/west.hpp"
#include "verif/model/instructions/dots.hpp"
#include "verif/model/instructions/features.hpp"
#include "verif/model/instructions/gradient_loop.hpp"
#include "verif/model/instructions/instructions.hpp"
#include "verif/model/instructions/reduce_lanes.hpp"
#include "verif/model/numbers/numbers.hpp"
#include "verif/model/numbers/simd.hpp"

namespace weft::model {

namespace {

constexpr int kGroup = machine::kGroupMost;

/// Computes the dot products of one group into its slots.
void dot(Machine& m, const VectorOp& op, std::span<const std::uint32_t> indices) {
  const bool one_hot = op.in.asel == isa::ASel::OH;
  const int n = static_cast<int>(indices.size()), slots = op.rd + m.mp.put_buffer() * kGroup, width = m.place.width();
  struct {
    const std::uint16_t* x[kGroup];
    std::uint16_t index[kGroup];
  } f;
  for (int j = 0; j < n; ++j) f.index[j] = indices[static_cast<std::size_t>(j)] >> 16;
  if (one_hot && n) std::fill_n(f.x, n, m.sram.read(op.ra, op.vl));
  for (int done = 0, some = n; done < n; done += some) {
    if (!one_hot) some = find_features(m, op, f.index + done, n - done, f.x + done);
    for_vectors(width, [&](int at, int lanes) {
      V sums[kGroup];
      const Dots dots{f.x + done, one_hot ? f.index + done : nullptr, m.deferred_dots.current(), op.vl, width};
      dots.sums(some, at, sums);
      for (int j = 0; j < some; ++j) store(m.accumulators.at(slots + done + j) + at, sums[j], lanes);
    });
  }
  m.accumulators.computed(slots, n);
}

/// Defers the dot products if the columns are in lockstep and each feature is contiguous in memory.
bool dot_deferred(Machine& m, const VectorOp& op, std::span<const std::uint32_t> indices) {
  const int n = static_cast<int>(indices.size());
  const std::uint16_t** const x = m.deferred_dots.features(kGroup);
  std::uint16_t index[kGroup];
  for (int j = 0; j < n; ++j) index[j] = static_cast<std::uint16_t>(indices[static_cast<std::size_t>(j)] >> 16);
  if (!m.parts || op.in.asel == isa::ASel::OH || locate_features(m, op, index, n, x) < n) return false;
  if (n)
    m.deferred_dots.begin();
  else if (!m.deferred_dots.any())
    return false;
  m.precomputed_sums.drop();
  m.deferred_dots.add(op.rd + m.mp.put_buffer() * kGroup, static_cast<std::size_t>(n));
  watch_features(m, op, x, n);
  return true;
}

/// Converts the output's deltas to words, once for all groups.
void capture_dy(Machine& m, const VectorOp& op) {
  const int lanes = m.place.shape.lanes;
  const auto first = static_cast<std::uint16_t>(op.rb + m.pm.taken_buffer() * op.vl * lanes);
  const std::uint16_t* from = m.sram.read(first, op.vl);
  if (m.deferred_dots.full() || m.deferred_dots.beats != op.vl) make_dots(m);
  std::uint32_t* to = m.deferred_dots.deltas(op.vl);
  const int width = m.place.width();
  for_terms(op.vl, [&](int i, int last, auto alone) {
    const std::uint16_t *const first = from + i * width, *const second = from + last * width;
    for_vectors(width, [&](int k, int n) { store(to + k, weights(alone, first + k, second + k), n); });
    to += width;
  });
}

/// Destination of the next output's sums, if main's vdot and psum's vr can process the output together; else null.
West* together(const Machine& m) {
  const VectorOp &dot = m.main.op, &sum = m.psum.op;
  if (!m.parts || !dot.busy || dot.in.op != isa::Opcode::Vdot || dot.in.asel == isa::ASel::OH) return nullptr;
  if (!sum.busy || sum.in.op != isa::Opcode::Vr || m.mp.any() || !m.pm.any() || m.deferred_dots.waits()) return nullptr;
  if (m.in_lockstep() && sum.in.cin != sum.in.cout) return nullptr;
  return m.ports.along_row(sum.in.cout);
}

}  // namespace

bool gradient_output(Machine& m) {
  West* const west = together(m);
  const auto run = m.w.run(0);
  if (!west || !run || run->empty()) return false;
  VectorOp& dot = m.main.op;
  if (!dot.started) capture_dy(m, dot), dot.started = true;
  const int n = static_cast<int>(run->size()), most = machine::full_group(dot.rc);
  DeferredDots& deferred = m.deferred_dots;
  const std::uint16_t** const x = deferred.features(run->size());
  const unsigned base = dot.ra, stride = dot.sta, mask = dot.lmask;
  const auto address = [=, words = run->data()](int j) {
    return static_cast<std::uint16_t>(base + (words[j] >> 16 & mask) * stride);
  };
  if (m.sram.locate(n, dot.vl, address, x) < n) return false;
  m.precomputed_sums.drop();
  deferred.begin();
  if (!deferred.repeats(run->size())) watch_features(m, dot, x, n);
  for (int done = 0; done < n; done += most) {
    const int some = std::min(n - done, most);
    deferred.add(dot.rd + m.mp.put_buffer() * kGroup, static_cast<std::size_t>(some));
    deferred.reduce(*west, reserve_sums(m, *west, some));
    m.count(reduce_beats(m.place.shape.lanes, some), false);
    m.mp.pass();
  }
  m.count(static_cast<std::uint64_t>(dot.vl) * run->size(), true);
  m.w.drop(run->size());
  end_of_stream(m, dot);
  m.pm.pop();
  m.work.moved = true;
  m.psum.op.busy = false;
  return true;
}

Outcome vdot(Machine& m, VectorOp& op) {
  if (!m.pm.any()) return op.wait("an entry of PM");
  const auto most = static_cast<std::size_t>(machine::full_group(op.rc));
  for (;;) {
    const auto run = m.w.run();
    const std::size_t n = std::min<std::size_t>(run.size(), most);
    const bool more = run.size() > n;
    const bool ends = !more && m.w.control_after(n);
    if (!more && !ends) return op.wait("an index or CR on W");
    if (!m.mp.room()) return op.wait("room in MP");
    if (n && !op.started) {
      capture_dy(m, op);
      op.started = true;
    }
    if (!dot_deferred(m, op, run.first(n))) make_dots(m), dot(m, op, run.first(n));
    m.count(static_cast<std::uint64_t>(op.vl) * n, true);
    m.w.drop(n);
    m.work.moved = true;
    m.mp.push({ends, static_cast<int>(n)});
    if (ends) break;
  }
  m.pm.pop();
  return end_of_stream(m, op);
}

}  // namespace weft::model
