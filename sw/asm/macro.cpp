#include "sw/asm/macro.hpp"

#include <algorithm>

#include "sw/asm/words.hpp"
#include "sw/base/did_you_mean.hpp"

namespace weft::assembler {
namespace {

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// The parameter name at the front of `text`. Unlike Cursor::word(), it has no point, so that a point may follow `\op`.
std::string_view name_at(std::string_view text) {
  return text.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(text, in_name) - text.begin()));
}

}  // namespace

Macro::Macro(Cursor& at, Place where) : place(where) {
  while (!at.done()) {
    const Cursor before = at;
    const std::string_view name = at.word();
    if (name.empty() || name != name_at(name))
      throw Complaint{"expected the name of a parameter " + before.here(), "write '.macro NAME a b'"};
    if (!parameters_.emplace(name, static_cast<int>(parameters_.size())).second)
      throw Complaint{in_quotes(name) + " is given twice", "choose another name"};
    at.eat(',');
  }
}

int Macro::hole(std::string_view name) const {
  if (const auto found = parameters_.find(name); found != parameters_.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, number] : parameters_) names.emplace_back(known);
  throw Complaint{"the macro has no parameter " + in_quotes(name),
                  did_you_mean(name, names, "name one in .macro, or write \\@ for the number of the call")};
}

void Macro::add(std::string_view text, Place where) {
  BodyLine line{where, {}};
  for (;;) {
    const std::size_t end = std::min(text.find('\\'), text.size());
    const std::string_view before = text.substr(0, end);
    text.remove_prefix(end);
    if (text.empty()) {
      line.pieces.push_back({before, BodyLine::kNothing});
      body_.push_back(std::move(line));
      return;
    }
    text.remove_prefix(1);
    std::size_t size = 1;
    int which = BodyLine::kCall;
    if (text.starts_with("()")) {
      size = 2;
      which = BodyLine::kNothing;
    } else if (!text.starts_with('@')) {
      const std::string_view name = name_at(text);
      size = name.size();
      which = hole(name);
    }
    line.pieces.push_back({before, which});
    text.remove_prefix(size);
  }
}

std::string Macro::expand(const BodyLine& line, std::span<const std::string_view> arguments, std::size_t call) {
  std::string text;
  for (const auto& [before, hole] : line.pieces) {
    text += before;
    if (hole >= 0) text += arguments[static_cast<std::size_t>(hole)];
    if (hole == BodyLine::kCall) text += std::to_string(call);
  }
  return text;
}

std::vector<std::string_view> Macro::arguments(std::string_view text) const {
  std::vector<std::string_view> result;
  while (!text.empty() || !result.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    result.push_back(trimmed(text.substr(0, end)));
    if (end == text.size()) break;
    text.remove_prefix(end + 1);
  }
  if (result.size() != parameters_.size())
    throw Complaint{"the macro takes another number of arguments: " + std::to_string(parameters_.size()) + ", not " +
                        std::to_string(result.size()),
                    "it is defined in " + text_of(place)};
  return result;
}

}  // namespace weft::assembler
