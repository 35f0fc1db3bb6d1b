#include "host/ranks/data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ostream>

#include "host/ranks/join_options.hpp"
#include "host/ranks/leave.hpp"
#include "host/data/load_data.hpp"
#include "host/swarmx/members/data_member.hpp"

namespace weft {

std::string data_name(const Config& config, const TrainingData& data) {
  const std::string dealt = data.sets() == 1 ? "" : fmt::format(", dealt {}", fmt::join(data.parts(), ":"));
  return fmt::format("data {:08x}, {} of {}, {} {}{}", data.checksum(), config.train_input.batch_size, config.model.seq,
                     config.train_input.shuffle ? "seed" : "in order", config.train_input.seed, dealt);
}

int run_data(const Config& config, const Joining& joining, std::ostream& out) {
  const TrainingData data = load_training_data(config);
  catch_interrupts_of_rank();
  run_data_member({.name = data_name(config, data),
                   .get =
                       [&data](const BatchRequest& request) {
                         Batch batch = data.micro_batch_at(request.position, static_cast<int>(request.micro_batch));
                         return MicroBatch{std::move(batch.inputs), std::move(batch.labels)};
                       },
                   .join = join_options(config, joining, out)});
  return end_of_rank(out);
}

}  // namespace weft
