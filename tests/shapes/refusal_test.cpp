/// Jobs that do not fit are rejected in one line, and every setting offered in that line fits.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <numeric>
#include <regex>
#include <string>
#include <vector>

#include "sw/compiler/check/check.hpp"
#include "sw/compiler/compile.hpp"
#include "tests/shapes/job.hpp"

namespace weft::test::refusal_test {
namespace {

/// The error of compile(); empty on success.
std::string complaint(const Job& job) {
  try {
    compiler::compile(job.model, job.wafer);
    return "";
  } catch (const Refusal& error) {
    return error.what();
  }
}

int& setting(Job& job, const std::string& name) {
  if (name == "wafer.sram_kib") return job.wafer.sram_kib;
  if (name == "wafer.rows") return job.wafer.rows;
  if (name == "wafer.cols") return job.wafer.cols;
  if (name == "wafer.lanes") return job.wafer.lanes;
  if (name == "train_input.micro_batch_size") return job.model.micro_batch;
  if (name == "model.num_hidden_layers") return job.model.layers;
  if (name == "model.max_sequence_length") return job.model.seq;
  if (name == "model.filter_size") return job.model.filter;
  if (name == "model.hidden_size") return job.model.hidden;
  if (name == "model.vocab_size") return job.model.vocab;
  throw std::out_of_range("a hint names " + name);
}

struct Setting {
  std::string name;
  int value;
};

struct Hints {
  explicit Hints(const std::string& text) {
    static const std::regex kSetting("([a-z_]+\\.[a-z_]+) ([0-9]+)");
    const std::size_t hint = text.rfind("HINT: use ");
    if (hint == std::string::npos) return;
    together = text.ends_with("together.");
    for (std::sregex_iterator it(text.begin() + static_cast<std::ptrdiff_t>(hint), text.end(), kSetting), end;
         it != end; ++it)
      settings.push_back({(*it)[1], std::stoi((*it)[2])});
  }
  std::vector<Setting> settings;
  bool together = false;
};

/// In "needs 12,345 bytes of SRAM and has 8,192 (8 KiB): a 12,000 + b 345" the numbers add up.
void expect_bytes(const std::string& text, const Job& job) {
  static const std::regex kBytes("needs ([0-9,]+) bytes of SRAM and has ([0-9,]+) \\([0-9]+ KiB\\): (.*)\\. HINT");
  const auto number = [](std::string digits) {
    std::erase(digits, ',');
    return std::stoll(digits);
  };
  std::smatch found;
  if (!std::regex_search(text, found, kBytes)) return;
  EXPECT_EQ(number(found[2]), 1024 * job.wafer.sram_kib);
  EXPECT_GT(number(found[1]), number(found[2]));
  const std::string uses = found[3];
  static const std::regex kUse("[A-Za-z, ]+ ([0-9,]+)( \\+ |$)");
  long long sum = 0;
  std::vector<long long> sizes;
  for (std::sregex_iterator it(uses.begin(), uses.end(), kUse), end; it != end; ++it) sizes.push_back(number((*it)[1]));
  EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), sum), number(found[1])) << uses;
  EXPECT_TRUE(std::is_sorted(sizes.rbegin(), sizes.rend())) << uses;
}

/// Every hint compiles, alone or together, and the next value toward the old setting does not.
void expect_good_hints(const std::string& text, const Job& job) {
  const Hints refusal(text);
  ASSERT_FALSE(refusal.settings.empty());
  Job all = job;
  for (const Setting& s : refusal.settings) {
    SCOPED_TRACE(s.name);
    Job changed = job;
    const int old = setting(changed, s.name);
    EXPECT_NE(old, s.value);
    setting(all, s.name) = setting(changed, s.name) = s.value;
    if (refusal.together) continue;
    EXPECT_EQ(complaint(changed), "");
    const bool counted = s.name != "wafer.lanes" && s.name != "train_input.micro_batch_size";
    if (!counted) continue;
    // More than 128 rows are offered in multiples of 32.
    const int unit = s.name == "model.hidden_size" ? job.model.heads : s.name == "wafer.rows" && s.value > 128 ? 32 : 1;
    setting(changed, s.name) = s.value > old ? std::max(old, s.value - unit) : s.value + unit;
    EXPECT_NE(complaint(changed), "") << setting(changed, s.name) << " would do";
  }
  if (refusal.together) {
    EXPECT_EQ(complaint(all), "");
  }
  EXPECT_EQ(job.model.micro_batch % all.model.micro_batch, 0) << "batch_size is a multiple of the old one";
}

void many(int count, const Range& range) {
  Rng rng(test_seed());
  for (int refused = 0; refused < count;) {
    const Job job = random_job(rng, range);
    std::string text;
    try {
      compiler::check(job.model, job.wafer);
      continue;
    } catch (const Refusal& error) {
      text = error.what();
    }
    ++refused;
    SCOPED_TRACE(testing::Message() << job << "\n" << text);
    EXPECT_EQ(text.find('\n'), std::string::npos);
    expect_bytes(text, job);
    expect_good_hints(text, job);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Refusals, TwentyRandomShapesGetAFittingHint) { many(20, kForRefusals); }
TEST(RefusalsLong, TwoThousandRandomShapesGetAFittingHint) { many(2000, kForRefusals); }

}  // namespace
}  // namespace weft::test::refusal_test
