/// MemoryX with some of the shards: all parts together equal one with all shards.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/memoryx/exact_sum.hpp"
#include "host/memoryx/state_hash.hpp"
#include "tests/memoryx/small_plan.hpp"

namespace weft::memoryx {
namespace {

struct OwnShards : testing::Test {
  MemoryXOptions options_of(ShardRange shards) const {
    MemoryXOptions options;
    options.threads = 2;
    options.optimizer.max_gradient_norm = 0.5;
    options.optimizer.weight_decay = 0.1;
    options.frozen = {"b"};
    options.shards = shards;
    return options;
  }
  const compiler::Plan plan = small_plan(200000);  // seven shards
};

TEST_F(OwnShards, SayTogetherWhatOneProcessSays) {
  MemoryX whole(plan, options_of({})), first(plan, options_of({0, 3})), second(plan, options_of({3, 7}));
  std::vector<StateShard> begin;
  for (MemoryX* part : {&first, &second}) {
    const std::vector<ShardDone> done = part->shard_results();
    for (std::size_t k = part == &first ? 0 : 3; k < (part == &first ? 3U : 7U); ++k) begin.push_back(done[k].hash);
  }
  EXPECT_EQ(state_hash(begin, plan.parameters), whole.hash());
  for (std::uint64_t step = 0; step < 3; ++step) {
    for (MemoryX* part : {&whole, &first, &second}) {
      part->begin_step(2);
      add_gradients(plan, *part, step, 1000);
    }
    std::vector<double> squares = first.squares(100);
    const std::vector<double> others = second.squares(100);
    std::ranges::copy(std::span(others).subspan(3), squares.begin() + 3);
    const Applied applied = whole.apply(step, 100);
    EXPECT_EQ(clip_factor(options_of({}).optimizer, ExactSum::norm(squares)), applied.clip);
    for (MemoryX* part : {&first, &second}) part->apply(step, 100, applied);
    std::vector<ShardDone> done = first.shard_results();
    const std::vector<ShardDone> last = second.shard_results();
    std::ranges::copy(std::span(last).subspan(3), done.begin() + 3);
    std::vector<StateShard> hashes;
    for (const ShardDone& shard : done) hashes.push_back(shard.hash);
    EXPECT_EQ(state_hash(hashes, plan.parameters), whole.finish_update().hash) << step;
  }
}

TEST_F(OwnShards, OthersTakeNoMemory) {
  MemoryX part(plan, options_of({3, 5}));
  part.begin_step(2);
  add_gradients(plan, part, 0, 1000);
  EXPECT_EQ(part.sum_bytes(), 2 * kShard * sizeof(std::int64_t));
  part.apply(0, 100, {.learning_rate = 1e-3});
  part.shard_results();
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const auto resident = [&](std::span<const float> values) {  // number of resident pages that lie inside
    auto begin = reinterpret_cast<std::uintptr_t>(values.data());
    begin = (begin + page - 1) / page * page;
    const std::size_t pages = (reinterpret_cast<std::uintptr_t>(values.data() + values.size()) - begin) / page;
    std::vector<unsigned char> in(pages);
    EXPECT_EQ(::mincore(reinterpret_cast<void*>(begin), pages * page, in.data()), 0);
    return std::ranges::count_if(in, [](unsigned char one) { return (one & 1U) != 0; });
  };
  for (const std::span<float>& vector : part.store().vectors()) {
    EXPECT_GT(resident(vector.subspan(3 * kShard, 2 * kShard)), 0);
    EXPECT_EQ(resident(vector.first(2 * kShard)), 0);
  }
}

}  // namespace
}  // namespace weft::memoryx
