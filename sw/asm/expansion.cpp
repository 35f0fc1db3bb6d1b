#include "sw/asm/expansion.hpp"

#include <map>

#include "sw/asm/instruction.hpp"
#include "sw/asm/macro.hpp"
#include "sw/asm/words.hpp"

namespace weft::assembler {
namespace {

// Bounds for hostile text. A program has 1024 instructions, the longest line of sw/kernels has 134 characters. The
// length of a line also bounds the nesting depth of an expression.
constexpr std::size_t kLongestLine = 500;
constexpr std::size_t kMostLines = 10000;  // that macros expand to
constexpr int kDeepest = 16;               // nested macro calls

bool is_blank(std::string_view text) { return Cursor(text).done(); }

class Expander {
 public:
  explicit Expander(std::span<const Source> sources) {
    try {
      for (const Source& source : sources) gather(source);
      for (const auto& [name, macro] : macros_) out_.macros.emplace_back(name);
      for (const Line& line : gathered_) expand(line, 0);
    } catch (const Complaint& complaint) {
      throw error_in(current_, complaint.what, complaint.hint);
    }
  }
  Expansion take() { return std::move(out_); }

 private:
  void gather(const Source& source) {
    Macro* open = nullptr;
    const char* comment = nullptr;  // begin of the block of comment lines above
    std::string_view rest = source.text;
    for (int number = 1; !rest.empty(); ++number) {
      const std::string_view whole = rest.substr(0, std::min(rest.find('\n'), rest.size()));
      rest.remove_prefix(std::min(whole.size() + 1, rest.size()));
      const std::string_view text = without_comment(whole);
      if (is_blank(text)) {
        if (text.size() == whole.size()) comment = nullptr;
        if (text.size() < whole.size() && !comment) comment = whole.data();
        continue;
      }
      const auto above = static_cast<std::size_t>(comment ? whole.data() - comment : 0);
      current_ = {{&source, number}, text, {comment, above}, nullptr};
      comment = nullptr;
      open = gather(current_, open);
    }
    if (!open) return;
    current_.place = open->place;
    throw Complaint{".macro has no end", "write .endm after its last line"};
  }

  /// Adds `line` to the macro `open`, or to gathered_ if null. Returns the macro that is open after this line.
  Macro* gather(const Line& line, Macro* open) {
    if (line.text.size() > kLongestLine) throw too_long();
    Cursor at(line.text);
    const std::string_view first = at.word();
    if (first == ".macro") {
      if (open) throw Complaint{"a macro in a macro", "write .endm first"};
      return &define(at, line.place);
    }
    if (first == ".endm") {
      if (!open) throw Complaint{".endm without .macro", "remove it"};
      at.expect_end("'.endm' alone");
      return nullptr;
    }
    open ? open->add(line.text, line.place) : gathered_.push_back(line);
    return open;
  }

  Macro& define(Cursor& at, const Place& place) {
    const std::string_view name = at.word();
    require_name(name);
    if (is_instruction(name)) throw Complaint{in_quotes(name) + " is an instruction", "choose another name"};
    const auto [macro, fresh] = macros_.try_emplace(name, at, place);
    if (!fresh)
      throw Complaint{"macro " + in_quotes(name) + " is already defined in " + text_of(macro->second.place),
                      "choose another name"};
    return macro->second;
  }

  void expand(const Line& line, int depth) {
    current_ = line;
    if (line.text.size() > kLongestLine) throw too_long();
    Cursor at(line.text);
    while (!take_label(at).empty()) {
    }
    const std::string_view labels = line.text.substr(0, line.text.size() - at.rest().size());
    const std::string_view mnemonic = at.word();
    if (mnemonic == ".macro" || mnemonic == ".endm")
      throw Complaint{in_quotes(mnemonic) + " is written where no macro can begin or end",
                      "write it without a label, and outside of macros"};
    const auto found = macros_.find(mnemonic);
    if (found == macros_.end()) {
      out_.lines.push_back(line);
      return;
    }
    if (!labels.empty()) out_.lines.push_back({line.place, labels, {}, line.call});
    if (depth == kDeepest)
      throw Complaint{"macros within macros, more than " + std::to_string(kDeepest) + " deep",
                      "a macro cannot call itself"};
    const std::vector<std::string_view> arguments = found->second.arguments(at.rest());
    out_.calls.push_back({mnemonic, line.place, line.call});
    const MacroCall& call = out_.calls.back();
    const std::size_t number = out_.calls.size();
    std::string_view comment = line.comment;
    for (const Macro::BodyLine& body : found->second.body()) {
      if (++written_ > kMostLines)
        throw Complaint{"macros expand to more than " + std::to_string(kMostLines) + " lines",
                        "do they call each other many times?"};
      out_.texts.push_back(Macro::expand(body, arguments, number));
      expand({body.place, out_.texts.back(), comment, &call}, depth + 1);
      comment = {};
    }
  }

  static Complaint too_long() {
    return {"the line is longer than " + std::to_string(kLongestLine) + " characters", "write several lines"};
  }

  Expansion out_;
  std::vector<Line> gathered_;  // outside macros
  std::map<std::string_view, Macro> macros_;
  std::size_t written_ = 0;  // lines that macros have expanded to
  Line current_;
};

}  // namespace

const Source* source_of(const Line& line) {
  Place outermost = line.place;
  for (const MacroCall* call = line.call; call; call = call->within) outermost = call->place;
  return outermost.source;
}

AssemblyError error_in(const Line& line, const std::string& what, const std::string& hint) {
  std::string story = what;
  for (const MacroCall* call = line.call; call; call = call->within)
    story += ", in macro " + in_quotes(call->macro) + " called in " + text_of(call->place);
  return {file_of(line.place), line.place.line, story, hint};
}

Expansion expand(std::span<const Source> sources) { return Expander(sources).take(); }

}  // namespace weft::assembler
