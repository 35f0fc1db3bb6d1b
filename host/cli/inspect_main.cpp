/// Main function of `weft-inspect`.
#include "host/cli/inspect.hpp"
#include "host/cli/program.hpp"

int main(int argc, char** argv) {
  const weft::cli::Inspection inspection = weft::cli::inspection();
  return weft::cli::program_main(argc, argv, &inspection);
}
