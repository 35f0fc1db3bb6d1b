/// Frames of an op that deviate from the plan are rejected.
#include <functional>

#include "tests/swarmx/op_sides.hpp"

namespace weft::swarmx {
namespace {

struct Lies : testing::Test {
  Lies() {
    plan.ops = {matrix(300, 700, compiler::StreamDescriptor::Values::Weights, true),
                matrix(30, 20, compiler::StreamDescriptor::Values::Indices, false)};
    plan.ops[1].commands.erase(plan.ops[1].commands.begin() + 1);
  }
  /// Expects the op's frames, with one of them changed, to be rejected with `words`.
  void refused(std::size_t op, std::size_t at, const std::function<void(Frame&, Bytes&)>& change,
               const std::string& words) {
    std::vector<Frame> frames = frames_of(plan, op, parameters);
    Bytes bytes(frames.at(at).bytes().begin(), frames[at].bytes().end());
    change(frames[at], bytes);
    frames[at].carry(std::move(bytes));
    OpMessages side(plan);
    refuses([&] { received(side, frames); }, words);
  }
  compiler::Plan plan;
  std::vector<float> parameters = some(301 * 700);
};

TEST_F(Lies, AreRefused) {
  refused(
      0, 0, [](Frame&, Bytes& b) { b.resize(b.size() - 2); }, "that differs from its plan");
  refused(
      0, 1, [](Frame&, Bytes& b) { b.resize(b.size() + 2, 0); }, "that differs from its plan");
  refused(
      0, 1, [](Frame&, Bytes& b) { b.resize(b.size() + 1, 0); }, "a part out of order of op 0");
  refused(
      0, 0, [](Frame&, Bytes& b) { b.resize(3); }, "a part out of order of op 0");
  refused(
      0, 0, [](Frame&, Bytes& b) { b.clear(); }, "a part out of order of op 0");
  refused(
      0, 1, [](Frame&, Bytes& b) { b[0] ^= 2; }, "that differs from its plan");
  refused(
      0, 1, [](Frame&, Bytes& b) { b[0] |= 1; }, "in frames that are too small");
  refused(
      0, 1, [](Frame& f, Bytes&) { f.part = 2; }, "a part out of order of op 0");
  refused(
      0, 1, [](Frame& f, Bytes&) { f.part = 0; }, "left out a part of op 0");
  refused(
      0, 2, [](Frame& f, Bytes&) { f.op = 1; }, "a part out of order of op 1");
  refused(
      0, 0, [](Frame& f, Bytes&) { f.op = 2; }, "op 2, which does not exist");
  refused(
      1, 0, [](Frame&, Bytes& b) { b[0] = 2; }, "weights of an op that has none");
  refused(
      1, 0, [](Frame&, Bytes& b) { b.resize(6, 0); }, "weights of an op that has none");
  refused(
      1, 0, [](Frame& f, Bytes&) { f.part = 1; }, "a part out of order of op 1");
  refused(
      0, 3, [](Frame& f, Bytes& b) { f.part = 3, b.resize(4), b[0] = b[1] = b[2] = b[3] = 0; },
      "that differs from its plan");
  OpMessages side(plan);
  refuses(
      [&] {
        auto frames = frames_of(plan, 0, parameters);
        frames.pop_back();
        received(side, frames);
      },
      "left out a part of op 0");
}

}  // namespace
}  // namespace weft::swarmx
