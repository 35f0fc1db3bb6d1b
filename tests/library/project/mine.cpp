// mine PARAMS MODEL_DIR STEPS: trains, and prints the lines of the metrics and an error.
#include <cfenv>
#include <cstdlib>
#include <iostream>
#include <weft/weft.hpp>

int main(int, char** argv) {
  std::fesetround(FE_UPWARD);  // no bit of a run depends on the program's mode, and the mode stays
  try {
    weft::Trainer trainer(weft::Config(argv[1], {{"model_dir", argv[2]}, {"backend", "model"}}));
    while (trainer.steps_done() < std::strtoull(argv[3], nullptr, 10)) std::cout << trainer.step() << '\n';
    const weft::Checkpoint state = trainer.state();
    trainer.close();
    std::cout << weft::load_checkpoint(std::string(argv[2]) + "/checkpoint_" + argv[3] + ".safetensors").arrays.size() -
                     state.arrays.size()
              << '\n';
    std::cout << (std::fegetround() == FE_UPWARD) << '\n';
    weft::Config(argv[1], {{"num_csx", "0"}});
  } catch (const weft::Error& error) {
    std::cout << error.subject() << '\n' << error.what() << '\n';
    return error.exit_code();
  }
}
