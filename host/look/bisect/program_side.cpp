#include "host/look/bisect/program_side.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "sw/base/refusal.hpp"

namespace weft::bisect {
namespace {

std::string last_line(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line, last;
  while (std::getline(in, line))
    if (!line.empty()) last = line;
  return last;
}

/// The exit code, what it prints goes to `log`; -1: it was killed.
int execute(const std::vector<std::string>& words, const std::filesystem::path& log) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw Refusal(words[0], std::strerror(error), "name a weft program");
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

std::vector<std::string> split(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

ProgramSide::ProgramSide(std::vector<std::string> words, std::filesystem::path folder, std::string name)
    : words_(std::move(words)), folder_(std::move(folder)), name_(std::move(name)) {
  if (words_.empty()) throw Refusal("--" + name_, "there is no program", "write PROGRAM run --params FILE ...");
  if (words_.size() > 1 && !words_[1].starts_with("-")) words_.erase(words_.begin() + 1);
  words_.insert(words_.begin() + 1, "trail");
}

std::filesystem::path ProgramSide::record(Level level, const std::vector<std::string>& more) {
  const std::filesystem::path file = folder_ / (name_ + "." + level_name(level));
  const std::filesystem::path log = folder_ / (name_ + ".log");
  std::vector<std::string> words = words_;
  words.insert(words.end(), {"--level", level_name(level), "--out", file.string()});
  words.insert(words.end(), more.begin(), more.end());
  if (const int code = execute(words, log); code != 0)
    throw Refusal("--" + name_, fmt::format("{} trail: exit {}: {}", words[0], code, last_line(log)),
                  "see " + log.string());
  return file;
}

Steps ProgramSide::steps() { return load<Steps>(record(Level::Steps, {})); }

State ProgramSide::state(std::uint64_t step) {
  return load<State>(record(Level::State, {"--step", std::to_string(step)}));
}

Phases ProgramSide::phases(std::uint64_t step) {
  return load<Phases>(record(Level::Phases, {"--step", std::to_string(step)}));
}

Phase ProgramSide::phase(const Request& r) {
  return load<Phase>(record(Level::Phase, {"--step", std::to_string(r.step), "--wafer", std::to_string(r.micro_batch),
                                           "--phase", r.phase, "--tile", fmt::format("{},{}", r.row, r.col)}));
}

}  // namespace weft::bisect
