#include "host/planning/choose_shape.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "host/config/keys/key_names.hpp"
#include "host/planning/generation_batch.hpp"
#include "host/planning/row_groups.hpp"
#include "host/planning/valves.hpp"
#include "sw/compiler/compile.hpp"

namespace weft::planning {

std::vector<Choice> choose_shape(config::Config& config, const SearchOptions& options) {
  std::vector<Choice> choices;
  try {
    if (config.runconfig.mode == "generate") {
      config.model.micro_batch = std::max(1, config.model.micro_batch);  // unused, since a pass has texts
      const GenerationBatch shapes =
          choose_generation_batch(config.model, config.wafer, static_cast<int>(config.runconfig.prompts()));
      config.wafer = compiler::with_sequence_columns(shapes.model, shapes.wafer);
      if (auto choice = choose_valves(config, options.explain)) choices.push_back(*std::move(choice));
      return choices;
    }
    std::map<int, ChosenBatchShape> chosen;
    SearchOptions once = options;
    once.chosen = &chosen;
    if (auto choice = choose_row_groups(config, once)) choices.push_back(*std::move(choice));
    for (Choice& choice : choose_shape_of_groups(config, once)) choices.push_back(std::move(choice));
  } catch (const Refusal& error) {
    throw config::placed(config, error);
  }
  return choices;
}

}  // namespace weft::planning
