#include "verif/random/session.hpp"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "verif/random/shrink.hpp"
#include "verif/sim/tile_grid.hpp"

namespace weft::random {

namespace {

/// Text to print when an assertion of the RTL ends the program.
char last_words[512];

void say_and_die(int) {
  const ssize_t written = write(2, last_words, std::strlen(last_words));
  std::_Exit(written < 0 ? 3 : 1);
}

std::string replay(const Session& s, bool fabric, std::uint64_t number) {
  return s.program + " --seed " + std::to_string(s.seed) + (fabric ? " --fabric " : " --case ") +
         std::to_string(number);
}

Case make(std::uint64_t seed, bool fabric, std::uint64_t number) {
  return fabric ? make_fabric_case(seed, number, built_machines()) : make_program_case(seed, number, built_machines());
}

}  // namespace

std::string built_program() { return "build/" WEFT_RANDOM_PROGRAM; }

Machines built_machines() {
  Machines m;
  m.colors = sim::kBuiltColors;
  m.depth = WEFT_RANDOM_DEPTH;
  m.lanes = {WEFT_RANDOM_LANES};
#ifdef WEFT_RANDOM_GENERAL
  m.general = true;
#endif
  return m;
}

bool Session::fail(const Case& c, const Result& result) {
  std::printf("%s differs: %s\nshrinking ...\n", c.fabric ? "a fabric" : "a program", result.text.c_str());
  std::fflush(stdout);
  // A hang should be detected soon, because the case is tried hundreds of times.
  Case begin = c;
  begin.most_cycles = 300'000;
  int tries = 0;
  const auto fails = [&](const Case& less) { return ++tries < 500 && run_apart(less).verdict == Verdict::Mismatch; };
  const Case small = shrink(begin, fails);
  report = describe(small) + run_apart(small).text + "\nreplay: " + replay(*this, c.fabric, c.number) + "\n";
  std::fputs(report.c_str(), stdout);
  std::fflush(stdout);
  return false;
}

bool Session::step(bool fabric, std::uint64_t number) {
  const Case c = make(seed, fabric, number);
  std::snprintf(last_words, sizeof last_words, "the RTL ended the program. replay: %s\n",
                replay(*this, fabric, number).c_str());
  const auto before = std::signal(SIGABRT, say_and_die);
  const Result result = run(c, &coverage);
  std::signal(SIGABRT, before);
  if (result.verdict == Verdict::Same) return true;
  if (result.verdict == Verdict::Mismatch) return fail(c, result);
  report = "the generator made a case that the model rejects: " + result.text +
           "\nreplay: " + replay(*this, fabric, number) + "\n";
  std::fputs(report.c_str(), stdout);
  return false;
}

bool Session::programs(std::uint64_t instructions) {
  const auto begin = std::chrono::steady_clock::now();
  auto said = begin;
  const std::uint64_t end = coverage.instructions + instructions;
  for (std::uint64_t n = from; coverage.instructions < end; ++n) {
    if (!step(false, n)) return false;
    const auto now = std::chrono::steady_clock::now();
    if (!progress || now - said < std::chrono::seconds(10)) continue;
    said = now;
    std::printf("case %llu, %.2f million instructions, %.0f a second\n", static_cast<unsigned long long>(n),
                static_cast<double>(coverage.instructions) / 1e6,
                static_cast<double>(coverage.instructions) / std::chrono::duration<double>(now - begin).count());
    std::fflush(stdout);
  }
  return true;
}

bool Session::fabrics(std::uint64_t count) {
  const auto begin = std::chrono::steady_clock::now();
  auto said = begin;
  for (std::uint64_t n = 0; n < count; ++n) {
    if (!step(true, from + n)) return false;
    const auto now = std::chrono::steady_clock::now();
    if (!progress || now - said < std::chrono::seconds(10)) continue;
    said = now;
    std::printf("fabric %llu, %.1f a second\n", static_cast<unsigned long long>(from + n),
                static_cast<double>(n + 1) / std::chrono::duration<double>(now - begin).count());
    std::fflush(stdout);
  }
  return true;
}

bool Session::one(bool fabric, std::uint64_t number, bool print) {
  const Case c = make(seed, fabric, number);
  if (print) std::fputs(describe(c).c_str(), stdout);
  const Result result = run_apart(c);
  if (result.verdict == Verdict::Mismatch) return fail(c, result);
  std::printf("%s\n", result.verdict == Verdict::Same ? "no difference" : result.text.c_str());
  if (result.verdict != Verdict::Same) report = result.text;
  return result.verdict == Verdict::Same;
}

}  // namespace weft::random
