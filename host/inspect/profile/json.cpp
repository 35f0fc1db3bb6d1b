#include "host/inspect/profile/json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "host/inspect/profile/bound.hpp"
#include "host/inspect/profile/roofline.hpp"
#include "sw/base/json_parse.hpp"

namespace weft::inspect::profile {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kThreadNames[] = {"main", "psum"};

/// Only stall reasons that occurred.
template <class Counts>
Json stall_counts(const Counts& counts) {
  Json json = Json::object();
  for (std::size_t c = 0; c < sim::kStallReasons; ++c)
    if (counts[c]) json[std::string(isa::kStallNames[c])] = counts[c];
  return json;
}

Json tile(const sim::StallRecord& r) {
  Json json = {{"row", r.row}, {"col", r.col}, {"begin", r.begin}, {"cycles", r.cycles()}};
  for (std::size_t t = 0; t < sim::kThreads; ++t) json[kThreadNames[t]] = stall_counts(r.counts[t]);
  return json;
}

Json traffic(const std::vector<Traffic>& all) {
  Json json = Json::array();
  for (const Traffic& one : all) json.push_back({{"messages", one.messages}, {"begin", one.begin}, {"end", one.end}});
  return json;
}

Json phase(const Phase& p) {
  Json json = {{"name", p.name}, {"multiply_adds", p.multiply_adds}};
  json["valves"] = traffic(p.valves);
  json["outlets"] = traffic(p.outlets);
  for (const sim::StallRecord& r : p.tiles) json["tiles"].push_back(tile(r));
  return json;
}

Json sum(const Sum& s) {
  Json json = {{"name", s.name},
               {"phases", s.phases},
               {"cycles", s.mean()},
               {"tile_cycles", s.tile_cycles},
               {"multiply_adds", s.multiply_adds},
               {"messages_in", s.sent},
               {"words_out", s.returned},
               {"bound", bound(s)}};
  for (std::size_t t = 0; t < sim::kThreads; ++t) json[kThreadNames[t]] = stall_counts(s.counts[t]);
  return json;
}

}  // namespace

std::string to_json(const Profile& p) {
  Json json = {{"config", p.config}, {"step", p.step}};
  json["wafer"] = {
      {"rows", p.wafer.rows}, {"cols", p.wafer.cols}, {"lanes", p.wafer.lanes}, {"valves", p.wafer.valves}};
  json["total"] = sum(total(p));
  for (const Loss& loss : losses(p))
    json["losses"].push_back({{"stall", isa::kStallNames[static_cast<std::size_t>(loss.reason)]},
                              {"cycles", loss.cycles},
                              {"part", loss.part},
                              {"words", loss.words}});
  for (const Sum& s : by_kind(p)) json["kinds"].push_back(sum(s));
  const Roofline roof = roofline(p);
  json["roofline"] = {{"multiply_adds_a_cycle", roof.lanes}, {"messages_a_cycle", roof.valves}};
  for (const RooflinePoint& point : roof.points)
    json["roofline"]["points"].push_back({{"name", point.name}, {"intensity", point.intensity}, {"rate", point.rate}});
  for (const Phase& one : p.phases) json["phases"].push_back(phase(one));
  return dump_json(json, {.indent = 1});
}

}  // namespace weft::inspect::profile
