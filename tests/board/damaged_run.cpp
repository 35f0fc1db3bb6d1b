#include "tests/board/damaged_run.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <random>
#include <sstream>

#include "tests/board/board_run.hpp"

namespace weft::board {
namespace {

constexpr const char* kSteps = "2";
constexpr const char* kMost = "60000000";  // cycles of the board

/// A weft-board process that runs until the test ends it, and then leaves its counts in a file.
class CountingBoard {
 public:
  CountingBoard(std::vector<std::string> words, std::string counts) : counts_(std::move(counts)) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("cannot create a pipe");
    std::vector<char*> argv{const_cast<char*>(WEFT_BOARD_PROGRAM)};
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      ::dup2(::open(counts_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
      ::execv(WEFT_BOARD_PROGRAM, argv.data());
      ::_exit(127);
    }
    ::close(ends[1]);
    for (char c = 0; ::read(ends[0], &c, 1) == 1 && c != '\n';) device_ += c;
    ::close(ends[0]);
    device_ = device_.substr(std::min<std::size_t>(device_.size(), 7));  // skips "device "
  }
  ~CountingBoard() { end(); }
  const std::string& device() const { return device_; }
  /// Ends the process and returns its exit code.
  int end() {
    int status = -1;
    if (pid_ <= 0) return status;
    ::kill(pid_, SIGTERM);
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return status;
  }
  std::string counts() const { return test::file_text(counts_); }

 private:
  std::string counts_, device_;
  pid_t pid_ = -1;
};

/// The table of steps without its header.
std::string steps_of(const std::string& out) {
  const std::size_t head = out.find("state hash\n");
  return head == std::string::npos ? "" : out.substr(head + 11);
}

/// Adds up the numbers that precede these names anywhere in the text.
void count(const std::string& text, Faults& faults) {
  static const std::vector<std::pair<std::string, std::string>> kNames = {{" bits flipped", "bits flipped"},
                                                                          {" bytes cut", "bytes cut"},
                                                                          {" frames doubled", "frames doubled"},
                                                                          {" delayed", "frames delayed"},
                                                                          {" resets", "resets"},
                                                                          {" of them resent", "frames again"},
                                                                          {" received damaged", "frames came damaged"},
                                                                          {" cycles", "cycles"}};
  for (const auto& [name, key] : kNames) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
      std::size_t from = at;
      while (from > 0 && std::isdigit(static_cast<unsigned char>(text[from - 1])) != 0) --from;
      if (from < at) faults[key] += std::stoull(text.substr(from, at - from));
    }
  }
}

}  // namespace

DamagedCase::DamagedCase(std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  const auto one = [&] { return static_cast<double>(rng() >> 11) * 0x1p-53; };
  udp = rng() % 2 == 0;
  words = {"--seed", std::to_string(seed), "--most", kMost};
  if (udp) words.insert(words.end(), {"--udp", "0"});
  const auto rate = [&](const char* name, double most) {
    if (rng() % 4 == 0) return;
    std::ostringstream value;
    value << most * std::pow(10, -one());
    words.insert(words.end(), {name, value.str()});
  };
  rate("--flip", 2e-4);
  rate("--cut", 2e-4);
  rate("--double", 0.05);
  rate("--delay", 0.05);
  if (seed % 5 == 0) words.insert(words.end(), {"--reset", "0.05"});  // a run of some hundred frames rarely survives
}

std::string DamagedCase::text() const {
  std::string text = "weft-board";
  for (const std::string& word : words) text += " " + word;
  return text;
}

DamagedRuns::DamagedRuns() {
  cli::write_small_run(folder_);
  cli::edit_run(folder_, "rows: 2\n  cols: 2", "rows: auto\n  cols: auto\n  sram_kib: 24\n  backend: fpga");
  cli::edit_run(folder_, "  batch_size: 4\n  micro_batch_size: 2", "  batch_size: 2\n  micro_batch_size: 1");
  cli::edit_run(folder_, "max_sequence_length: 8", "max_sequence_length: 4");
  model_ = state(cli::run_program(folder_, {"run", "--params", "mine.yaml", "--num_steps", kSteps, "--model_dir",
                                            "model", "--backend", "model", "--wafer.rows", "4", "--wafer.cols", "2"}));
}

cli::ProgramResult DamagedRuns::train(const std::string& dir, const std::string& device) const {
  return cli::run_program(
      folder_, {"run", "--params", "mine.yaml", "--num_steps", kSteps, "--model_dir", dir, "--fpga.device", device});
}

void DamagedRuns::run(std::uint64_t seed) {
  const DamagedCase c(seed);
  SCOPED_TRACE("seed " + std::to_string(seed) + ": " + c.text());
  const std::string dir = "seed_" + std::to_string(seed);
  CountingBoard board(c.words, folder_ / "counts");
  const cli::ProgramResult result = train(dir, board.device());
  EXPECT_EQ(board.end(), 0) << "more cycles than such a run needs: it hangs";
  count(board.counts(), faults_);
  count(result.out, faults_);
  ++faults_[c.udp ? "over UDP" : "over serial"];
  if (result.status == 0) {
    EXPECT_EQ(state(result), model_);
    return;
  }
  ++faults_["runs that stopped"];
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_EQ(result.error_lines(), 1) << result.err;
  EXPECT_NE(result.err.find("the board at "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("HINT: "), std::string::npos) << result.err;
  const bool saved = result.out.find("\nsaved the state after step ") != std::string::npos;
  EXPECT_EQ(saved, !steps_of(result.out).empty()) << result.out;
  EXPECT_EQ(state(train(dir, "emulated:udp")), model_) << "from the checkpoint on";
}

std::string DamagedRuns::text() const {
  std::string text;
  for (const auto& [name, n] : faults_) text += (text.empty() ? "" : ", ") + std::to_string(n) + " " + name;
  return text;
}

}  // namespace weft::board
