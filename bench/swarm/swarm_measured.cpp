#include "bench/swarm/swarm_measured.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "host/checkpoint/output_file.hpp"

namespace weft::bench {
namespace {

using Json = nlohmann::ordered_json;

/// Single list of the fields of a run in the file: name and member.
template <class Run, class Visit>
void visit(Run& measured, const Visit& field) {
  field("wafers", measured.run.wafers);
  field("micro_batches", measured.run.micro_batches);
  field("micro_batch", measured.run.micro_batch);
  field("layers", measured.run.layers);
  field("train", measured.run.train);
  field("step", measured.times.step);
  field("stream", measured.times.stream);
  field("network", measured.times.network);
  field("memoryx", measured.times.memoryx);
  field("member_network", measured.times.member_network);
  field("member_wafer", measured.times.member_wafer);
  field("others", measured.times.others);
}

std::vector<MeasuredRun> read_runs(const Json& list) {
  std::vector<MeasuredRun> runs;
  for (const Json& entry : list)
    visit(runs.emplace_back(), [&](const char* name, auto& value) { entry.at(name).get_to(value); });
  return runs;
}

/// A run per line.
std::string lines(const std::vector<MeasuredRun>& runs) {
  std::string text;
  for (const MeasuredRun& run : runs) {
    Json entry;
    visit(run, [&](const char* name, const auto& value) { entry[name] = value; });
    text += (text.empty() ? "\n    " : ",\n    ") + entry.dump();
  }
  return "[" + text + "\n  ]";
}

}  // namespace

Measured read_measured(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error(path + " cannot be read. HINT: weft-bench swarm_model writes it");
  try {
    const Json file = Json::parse(in);
    return {.cores = file.at("cores"), .fit = read_runs(file.at("fit")), .check = read_runs(file.at("check"))};
  } catch (const Json::exception& error) {
    throw std::runtime_error(path + ": " + error.what() + ". HINT: weft-bench swarm_model writes the file again");
  }
}

void write_measured(const std::string& path, const Measured& measured) {
  checkpoint::OutputFile out(path);
  out.stream() << "{\n  \"cores\": " << measured.cores << ",\n  \"fit\": " << lines(measured.fit)
               << ",\n  \"check\": " << lines(measured.check) << "\n}\n";
  out.commit();
}

}  // namespace weft::bench
