/// What the user can mend: one type for all that is refused, one line for each.
#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace weft {

/// `text` of a file, a peer or the user as part of a message: on one line, and nothing that a terminal would obey.
/// Control characters, marks that turn the direction of writing, and bytes that are no UTF-8 become \x0a; what is
/// beyond `most` bytes is left out.
std::string one_line(std::string_view text, std::size_t most = 4096);
/// `one_line` for a name, or another text that should be short.
inline std::string printable(std::string_view text) { return one_line(text, 120); }

/// True if errno `error` is a failure of a disk or system, which no other command avoids: the disk is full or over its
/// quota, does not read or write, or is gone.
bool is_failure_of_disk(int error);

/// "configs/mine.yaml:12: model.num_heads: 5 does not divide hidden_size 64. HINT: use 4 or 8."
///
/// Thrown in parts by whoever finds it: what it is about, what is wrong, what to do. Who knows more adds the outer
/// subject (`within`) and where it was set (`at`). The program prints the line and exits with 2: the user's mistake; or
/// with 1, if the world has failed (`caused_by`).
class Refusal : public std::exception {
 public:
  /// `subject`: a file, key or peer, "a: b" for one inside the other; empty: the problem names it.
  Refusal(std::string_view subject, std::string_view problem, std::string_view hint);

  const char* what() const noexcept override { return line_.c_str(); }
  const std::string& place() const { return place_; }
  const std::string& subject() const { return subject_; }
  const std::string& problem() const { return problem_; }
  const std::string& hint() const { return hint_; }

  /// The same of what is inside `outer`: "outer: subject: ...". One that has its place is left as it is.
  Refusal within(std::string_view outer) const;
  /// The same at `place`, a file and line or "command line". One that has its place is left as it is.
  Refusal at(std::string_view place) const;
  /// Copy with other words.
  Refusal reworded(std::string_view subject, std::string_view problem, std::string_view hint) const;
  /// Copy that names errno `error` as the cause: after a failure of a disk (above) the world has failed.
  Refusal caused_by(int error) const;

  bool of_world() const { return of_world_; }
  int exit_code() const { return of_world_ ? 1 : 2; }

 private:
  void put_together();

  std::string place_, subject_, problem_, hint_, line_;
  bool of_world_ = false;
};

/// A file that is not whole: an older or another copy may serve.
struct DamagedFile : Refusal {
  using Refusal::Refusal;
};

}  // namespace weft
