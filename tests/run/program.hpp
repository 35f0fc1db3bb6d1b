/// The program `weft` as a child process.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/checkpoint/files.hpp"

namespace weft::test {

class StartedProgram {
 public:
  /// Starts `weft` with `words`; standard error goes to the file `errors`. `max_file`: limit on the size of a file in
  /// bytes, 0: none. `ignored`: a signal that the program starts with ignored, as under nohup; all others are reset,
  /// whatever this process inherited (a shell's background jobs ignore SIGINT). `environment`: NAME=VALUE, for the
  /// program only. `out`: a file for standard output; empty: `line` reads it.
  StartedProgram(std::vector<std::string> words, std::string errors, rlim_t max_file = 0, int ignored = 0,
                 std::vector<std::string> environment = {}, const std::string& out = {})
      : errors_(std::move(errors)) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("cannot create a pipe");
    std::vector<char*> argv = {const_cast<char*>(WEFT_PROGRAM)};
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_ = fork();
    if (pid_ == 0) {
      for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGPWR, SIGXCPU, SIGPIPE}) {
        std::signal(signal, signal == ignored ? SIG_IGN : SIG_DFL);
      }
      const rlimit limit{max_file, max_file};
      if (max_file > 0) setrlimit(RLIMIT_FSIZE, &limit);
      for (std::string& variable : environment) putenv(variable.data());
      dup2(out.empty() ? ends[1] : open(out.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
      dup2(open(errors_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
      close_range(STDERR_FILENO + 1, ~0U, 0);  // connections of other threads must not stay open here
      execv(WEFT_PROGRAM, argv.data());
      _exit(127);
    }
    close(ends[1]);
    out_ = fdopen(ends[0], "r");
  }
  ~StartedProgram() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      wait();
    }
    fclose(out_);
  }
  StartedProgram(const StartedProgram&) = delete;
  StartedProgram& operator=(const StartedProgram&) = delete;

  pid_t pid() const { return pid_; }
  void kill(int signal) const { ::kill(pid_, signal); }

  /// Reads the next line of output; false at the end.
  bool line(std::string& text) {
    text.clear();
    for (int c = fgetc(out_); c != EOF; c = fgetc(out_)) {
      if (c == '\n') return true;
      text += static_cast<char>(c);
    }
    return false;
  }
  /// Reads until the program has reported a step from `step` on; false if it ends before.
  bool reach(int step) {
    for (std::string text; line(text);) {
      int at = 0, length = 0;
      if (sscanf(text.c_str(), "%d %*f%n", &at, &length) == 1 && length > 0 && at >= step) return true;
    }
    return false;
  }
  /// Closes the pipe of standard output.
  void stop_reading() { out_ = freopen("/dev/null", "r", out_); }
  /// Reads the rest and waits for the end: returns the exit code, or 128 + the signal that killed the program.
  int wait() {
    for (std::string text; line(text);) rest_ += text + "\n";
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  /// The output that `wait` has read.
  const std::string& rest() const { return rest_; }
  std::string errors() const { return checkpoint::text_of(errors_); }

 private:
  std::string errors_, rest_;
  pid_t pid_ = 0;
  FILE* out_ = nullptr;
};

}  // namespace weft::test
