/// Of a rank of MemoryX: questions of the root for ops, and how far each may be answered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

namespace weft {

/// The oldest is answered first, in frames, of which as many may be sent as were asked for.
class Questions {
 public:
  /// For `count` frames of the op. Those before `first` are forgotten.
  void ask(std::uint32_t number, std::size_t op, std::uint32_t count, std::uint32_t first);
  /// For so many more. False: nobody has asked that yet; it may be answered by now.
  bool more(std::uint32_t number, std::uint32_t count);
  /// Nothing is wanted any more.
  void forget();

  bool empty() const { return questions_.empty(); }
  struct Question {
    std::uint32_t number = 0;
    std::size_t op = 0;
    std::uint64_t count = 0;  // frames that may be sent
    bool forgotten = false;
  };
  /// The one that is answered.
  const Question& front() const { return questions_.front(); }
  enum class May : std::uint8_t { Send, Wait, Stop };
  /// What a frame of its answer that is to be sent would be told. There is a question.
  May may() const;
  /// A frame of its answer is to be sent.
  May spend();
  /// It is answered, or was to be stopped.
  void end() { questions_.pop_front(); }

 private:
  std::deque<Question> questions_;
  std::uint32_t last_ = 0;  // the newest
};

}  // namespace weft
