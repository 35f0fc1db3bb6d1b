#include "host/cli/modes/compile_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>
#include <string>

#include "host/cli/modes/step_time.hpp"
#include "host/planning/model_work.hpp"
#include "host/train/options.hpp"
#include "sw/base/json_parse.hpp"

namespace weft::cli {
namespace {

class Facts {
 public:
  explicit Facts(std::ostream& out) : out_(out) {}
  template <class Number>
  void say(const std::string& name, Number value, const std::string& unit) {
    out_ << dump_json(
                nlohmann::ordered_json{{"bench", "compile_only"}, {"name", name}, {"value", value}, {"unit", unit}})
         << '\n';
  }

 private:
  std::ostream& out_;
};

/// Parses lines of the plan's memory table, "  tokens and labels   256 bytes", which plans from files have, too.
void say_memory(const compiler::Plan& plan, Facts& facts) {
  std::istringstream lines(plan.memory_map);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t end = line.find(" bytes"), number = line.rfind(' ', end - 1) + 1;
    const std::size_t begin = line.find_first_not_of(' '), last = line.find_last_not_of(' ', number - 1);
    facts.say("SRAM: " + line.substr(begin, last + 1 - begin), std::stoll(line.substr(number)), "bytes of every PE");
  }
  facts.say("SRAM", 2 * plan.wafer.sram_elements(), "bytes of every PE");
  facts.say("valves", plan.wafer.valves * plan.wafer.row_groups, "a wafer");
  facts.say("tokens", plan.tokens_per_column, "a column");
}

/// Messages and words have 4 bytes.
void say_memoryx(const config::Config& config, const compiler::Plan& plan, const planning::Phase& total, double mhz,
                 Facts& facts) {
  const auto all = plan.parameters * static_cast<std::uint64_t>(memoryx_bytes_each(config));
  facts.say("parameters", plan.parameters, "");
  facts.say("MemoryX", all, "bytes");
  if (config.memoryx_dram_gib > 0) facts.say("MemoryX, in DRAM", std::min(all, train::dram_bytes(config)), "bytes");
  facts.say("to the wafers", 4 * total.sent, "bytes a micro-batch");
  facts.say("to the wafers, weights", 4 * total.weights, "bytes a micro-batch");
  const std::uint64_t returned = total.returned * static_cast<unsigned>(plan.wafer.row_groups);
  facts.say("back from a wafer", 4 * returned, "bytes a micro-batch");
  const double seconds = static_cast<double>(total.cycles) / (mhz * 1e6);
  facts.say("clock", mhz, "MHz");
  facts.say("time", seconds, "s a micro-batch");
  facts.say("to the wafers, rate", 4 * static_cast<double>(total.sent) / seconds, "bytes/s");
  facts.say("back from a wafer, rate", 4 * static_cast<double>(returned) / seconds, "bytes/s");
  const int passes = passes_of(config);
  facts.say("passes", passes, "a step");
  facts.say("cycles of a wafer", total.cycles * static_cast<std::uint64_t>(passes), "a step");
  facts.say("share_of_lanes", planning::share_of_lanes(plan, static_cast<double>(total.cycles)), "");
}

void say_choice(const planning::Choice& choice, Facts& facts) {
  for (std::size_t i = 0; i < choice.keys.size(); ++i) {
    const std::string key(choice.keys[i]);
    facts.say("chosen: " + key, choice.best.values[i], "");
    if (choice.next) facts.say("next best: " + key, choice.next->values[i], "");
  }
  const std::string keys = fmt::format("{}", fmt::join(choice.keys, ", "));
  if (choice.compared > 0) facts.say("cost: " + keys, choice.best.cycles, fmt::format("cycles {}", choice.measure));
  if (choice.next) facts.say("next best, cost: " + keys, choice.ratio(), "times");
}

}  // namespace

void print_compiled_json(const config::Config& config, const compiler::Plan& plan,
                         const std::vector<planning::Phase>& phases, const CompileOptions& options, std::ostream& out) {
  planning::Phase total{.name = "total"};
  for (const planning::Phase& phase : phases) total.add(phase);
  Facts facts(out);
  say_memory(plan, facts);
  say_memoryx(config, plan, total, options.clock_mhz, facts);
  for (const planning::Choice& choice : options.choices) say_choice(choice, facts);
  const auto line = [&](const planning::Phase& p) {
    const nlohmann::ordered_json object{{"phase", p.name},        {"ops", p.ops},       {"messages", p.sent},
                                        {"returned", p.returned}, {"cycles", p.cycles}, {"bound", p.bound()}};
    out << dump_json(object) << '\n';
  };
  for (const planning::Phase& phase : phases) line(phase);
  line(total);
}

}  // namespace weft::cli
