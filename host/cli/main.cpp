/// Main function of `weft`.
#include "host/cli/program.hpp"

int main(int argc, char** argv) { return weft::cli::program_main(argc, argv, nullptr); }
