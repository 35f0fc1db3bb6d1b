#include "bench/swarm/swarm_measured.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

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

MeasuredRun run_of(const Json& columns) {
  MeasuredRun run;
  visit(run, [&](const char* name, auto& value) { columns.at(name).get_to(value); });
  return run;
}

}  // namespace

Json columns_of(const MeasuredRun& run) {
  Json columns;
  visit(run, [&](const char* name, const auto& value) { columns[name] = value; });
  return columns;
}

Measured read_measured(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error(path + " cannot be read. HINT: make measure RESULTS=swarm_model writes it");
  Measured measured;
  try {
    for (std::string line; std::getline(in, line);) {
      const Json row = Json::parse(line);
      if (row.value("table", "") == "fit") measured.fit.push_back(run_of(row));
      if (row.value("table", "") == "check") measured.check.push_back(run_of(row));
      if (row.value("name", "") == kCores) measured.cores = row.at("value");
    }
  } catch (const Json::exception& error) {
    throw std::runtime_error(path + ": " + error.what() +
                             ". HINT: make measure RESULTS=swarm_model writes the file again");
  }
  if (measured.cores < 1 || measured.fit.empty())
    throw std::runtime_error(path +
                             " has no runs to fit. HINT: make measure RESULTS=swarm_model writes the file again");
  return measured;
}

}  // namespace weft::bench
