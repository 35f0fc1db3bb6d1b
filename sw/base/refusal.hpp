/// Errors that the user can fix: one exception type, one line of text for each error.
#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace weft {

/// Prepares `text` of a file, a peer or the user for a message: on one line, without characters that a terminal would
/// interpret. Control characters, marks of writing direction and bytes that are not UTF-8 become escapes like \x0a;
/// text beyond `most` bytes is left out.
std::string one_line(std::string_view text, std::size_t most = 4096);
/// `one_line` for a name, or another text that should be short.
inline std::string printable(std::string_view text) { return one_line(text, 120); }

/// True if errno `error` is a failure of a disk or of the system, which another command would not avoid: the disk is
/// full or over its quota, fails to read or write, or is gone.
bool is_failure_of_disk(int error);

/// "configs/mine.yaml:12: model.num_heads: 5 does not divide hidden_size 64. HINT: use 4 or 8."
///
/// Thrown where the error is found, with its subject, the problem and a hint. Callers that know more add the outer
/// subject (`within`) and the place where the value was set (`at`). The program prints the line and exits with 2 (user
/// error), or with 1 after a failure of a disk or of the system (`caused_by`).
class Refusal : public std::exception {
 public:
  /// `subject`: a file, key or peer, "a: b" for one inside the other; empty: the problem names it.
  Refusal(std::string_view subject, std::string_view problem, std::string_view hint);

  const char* what() const noexcept override { return line_.c_str(); }
  const std::string& place() const { return place_; }
  const std::string& subject() const { return subject_; }
  const std::string& problem() const { return problem_; }
  const std::string& hint() const { return hint_; }

  /// Copy whose subject is inside `outer`: "outer: subject: ...". Unchanged if this has a place already.
  Refusal within(std::string_view outer) const;
  /// Copy with `place`, a file and line or "command line". Unchanged if this has a place already.
  Refusal at(std::string_view place) const;
  /// Copy with another text.
  Refusal reworded(std::string_view subject, std::string_view problem, std::string_view hint) const;
  /// Copy caused by errno `error`: of_world() becomes true if is_failure_of_disk(error).
  Refusal caused_by(int error) const;

  bool of_world() const { return of_world_; }
  int exit_code() const { return of_world_ ? 1 : 2; }

 private:
  void put_together();

  std::string place_, subject_, problem_, hint_, line_;
  bool of_world_ = false;
};

/// A damaged file. An older or another copy may be intact.
struct DamagedFile : Refusal {
  using Refusal::Refusal;
};

}  // namespace weft
