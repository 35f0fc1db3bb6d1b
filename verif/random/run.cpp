#include "verif/random/run.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "verif/model/model_wafer.hpp"
#include "verif/random/rng.hpp"
#include "verif/sim/replicated_wafer.hpp"

namespace weft::random {

void press(sim::ClockedWafer& rtl, const Case& c) {
  const std::uint64_t seed = Rng::mix(c.seed + 1) ^ c.number;
  const auto sometimes = [seed](int percent, std::uint64_t salt) {
    return [=](int place, std::uint64_t cycle) {
      // Random per cycle, or half of the time per eight cycles, so that there are bursts.
      const std::uint64_t at = cycle >> 9 & 1 ? cycle >> 3 : cycle;
      return static_cast<int>(Rng::mix(seed ^ salt ^ at * 131 ^ static_cast<std::uint64_t>(place) << 40) % 100) <
             percent;
    };
  };
  if (c.takes < 100) rtl.listen(sometimes(c.takes, 0x1234));
  if (c.offers < 100) rtl.hesitate(sometimes(c.offers, 0x98765));
}

std::vector<machine::Message> load(const Case& c) {
  std::vector<machine::Message> messages;
  const auto command = [&](machine::Command code, unsigned value) {
    messages.push_back(machine::Message::command(code, 0, static_cast<std::uint16_t>(value)));
  };
  for (std::size_t i = 0; i < c.programs.size(); ++i) {
    const int tile = static_cast<int>(i);
    if (c.programs.size() > 1) messages.push_back(machine::Message::select({tile / c.shape.cols, tile % c.shape.cols}));
    command(machine::Command::Iaddr, static_cast<unsigned>(c.base));
    for (const Line& line : c.programs[i]) {
      command(machine::Command::Ilo, c.word(line) & 0xffff);
      command(machine::Command::Ihi, c.word(line) >> 16);
    }
  }
  if (c.programs.size() > 1) messages.push_back(machine::Message::select());
  return messages;
}

namespace {

/// Both wafers, and the words they have delivered so far.
class Pair {
 public:
  explicit Pair(const Case& c) : case_(c), model_(make_model_wafer(c.shape)), rtl_(c.shape) {
    press(rtl_, c);
    rtl_.limit(c.most_cycles);
  }

  Result run() {
    for (const Item& item : case_.items) {
      if (item.gone) continue;
      switch (item.kind) {
        case Item::Kind::Send:
          waiting_.push_back(item.message);
          break;
        case Item::Kind::Load:
          for (const machine::Message& m : load(case_)) waiting_.push_back(m);
          break;
        case Item::Kind::Reset:
          if (const Result r = settle(); r.verdict != Verdict::Same) return r;
          add_cycles();
          model_->reset();
          rtl_.reset();
          break;
        case Item::Kind::Settle:
          if (const Result r = settle(); r.verdict != Verdict::Same) return r;
          break;
      }
    }
    add_cycles();
    return settle();
  }

  void cover(Coverage& coverage) {
    ++coverage.cases;
    coverage.cycles += cycles_;
    coverage.longest = std::max(coverage.longest, cycles_);
    coverage.messages += messages_;
    coverage.in_lockstep += dynamic_cast<model::ModelWafer&>(*model_).in_lockstep();
    for (int row = 0; row < case_.shape.rows; ++row)
      for (int col = 0; col < case_.shape.cols; ++col) {
        const auto counts = rtl_.executed(row, col);
        if (counts.empty()) continue;
        const Program& program = case_.program(row * case_.shape.cols + col);
        for (std::size_t i = 0; i < program.size(); ++i) {
          const std::size_t at = (static_cast<std::size_t>(case_.base) + i) % machine::WaferShape::kIDepth;
          for (int thread = 0; thread < 2; ++thread)
            coverage.add(thread, case_.word(program[i]),
                         counts[static_cast<std::size_t>(thread) * machine::WaferShape::kIDepth + at]);
        }
        coverage.flags |= flags_;
      }
  }

 private:
  Result settle() {
    try {
      model_->feed(waiting_);
      model_->settle();
    } catch (const std::exception& e) {
      return {Verdict::Broken, std::string("model: ") + e.what()};
    }
    try {
      rtl_.feed(waiting_);
      rtl_.settle();
    } catch (const std::exception& e) {
      return {Verdict::Mismatch, std::string("the model rests, the RTL does not: ") + e.what()};
    }
    waiting_.clear();
    return compare();
  }

  Result compare() {
    const auto differ = [](const std::string& text) { return Result{Verdict::Mismatch, text}; };
    for (int row = 0; row < case_.shape.rows; ++row) {
      auto &a = model_->outlet(row), &b = rtl_.outlet(row);
      const std::string name = "outlet of row " + std::to_string(row);
      for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        if (a[i] != b[i]) {
          char words[64];
          std::snprintf(words, sizeof words, ": model 0x%08x, RTL 0x%08x", a[i], b[i]);
          return differ(name + " word " + std::to_string(i) + words);
        }
      if (a.size() != b.size())
        return differ(name + ": model " + std::to_string(a.size()) + " words, RTL " + std::to_string(b.size()));
      messages_ += a.size();
      a.clear();
      b.clear();
    }
    for (int row = 0; row < case_.shape.rows; ++row)
      for (int col = 0; col < case_.shape.cols; ++col) {
        try {
          const machine::TileState a = model_->state(row, col), b = rtl_.state(row, col);
          flags_ |= a.flags;
          if (a != b)
            return differ("tile " + std::to_string(row) + "," + std::to_string(col) + " (model, RTL):\n" +
                          machine::difference(a, b));
        } catch (const std::logic_error& e) {
          return differ(e.what());
        }
      }
    const auto no_row = [](Wafer& wafer) { return wafer.flags().find("NO_ROW") != std::string::npos; };
    if (no_row(*model_) != no_row(rtl_)) return differ("NO_ROW: model " + model_->flags() + ", RTL " + rtl_.flags());
    return {};
  }

  void add_cycles() { cycles_ += rtl_.counters().cycles; }

  const Case& case_;
  std::unique_ptr<Wafer> model_;
  sim::ReplicatedWafer rtl_;
  std::vector<machine::Message> waiting_;
  std::uint64_t messages_ = 0, cycles_ = 0;
  unsigned flags_ = 0;
};

}  // namespace

Result run(const Case& c, Coverage* coverage) {
  Pair pair(c);
  const Result result = pair.run();
  if (coverage) pair.cover(*coverage);
  return result;
}

Result run_apart(const Case& c) {
  std::fflush(stdout);
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("cannot create a pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot create a process");
  if (child == 0) {
    close(ends[0]);
    dup2(ends[1], 1);
    dup2(ends[1], 2);
    const Result result = run(c);
    const std::string text = "\1" + std::to_string(static_cast<int>(result.verdict)) + result.text;
    const ssize_t sent = write(ends[1], text.data(), text.size());
    _exit(sent == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t n; (n = read(ends[0], part, sizeof part)) > 0;) text.append(part, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  const std::size_t at = text.find('\1');
  if (at == std::string::npos || at + 1 >= text.size()) return {Verdict::Mismatch, "the program ended: " + text};
  return {static_cast<Verdict>(text[at + 1] - '0'), text.substr(at + 2)};
}

}  // namespace weft::random
