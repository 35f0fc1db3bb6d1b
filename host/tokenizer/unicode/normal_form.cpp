#include "host/tokenizer/unicode/normal_form.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

#include "host/tokenizer/unicode/characters.hpp"
#include "host/tokenizer/unicode/normal_form_table.hpp"
#include "sw/base/refusal.hpp"

namespace weft::tokenizer {
namespace {

int options_of(NormalForm form) {
  switch (form) {
    case NormalForm::Nfc:
      return UTF8PROC_COMPOSE;
    case NormalForm::Nfd:
      return UTF8PROC_DECOMPOSE;
    case NormalForm::Nfkc:
      return UTF8PROC_COMPOSE | UTF8PROC_COMPAT;
    case NormalForm::Nfkd:
      return UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT;
  }
  return 0;
}

/// True if no byte begins a character that the form may change or move: NFC keeps all below U+0300, the others ASCII.
bool stays(std::string_view text, NormalForm form) {
  const unsigned char least = form == NormalForm::Nfc ? 0xcc : 0x80;
  return std::ranges::all_of(text, [&](char c) { return static_cast<unsigned char>(c) < least; });
}

void append_normalized(std::string_view valid, NormalForm form, std::string& out) {
  if (stays(valid, form)) {
    out += valid;
    return;
  }
  utf8proc_uint8_t* result = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(valid.data()), static_cast<utf8proc_ssize_t>(valid.size()),
                   &result, static_cast<utf8proc_option_t>(UTF8PROC_STABLE | options_of(form)));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(result, std::free);
  if (size == UTF8PROC_ERROR_NOMEM) throw std::bad_alloc();
  if (size < 0)
    throw Refusal("", std::string("cannot be normalized: ") + utf8proc_errmsg(size), "cut it into smaller documents");
  out.append(reinterpret_cast<const char*>(result), static_cast<std::size_t>(size));
}

/// True for a character that does not change. The texts before and after it are normalized separately.
bool is_boundary(std::uint32_t code) {
  if (code < kLaterForms[0].first) return false;
  if (code == kInvalid) return true;
  const CodeRange* const end = kLaterForms + kLaterFormCount;
  const CodeRange* const range = std::ranges::lower_bound(kLaterForms, end, code, {}, &CodeRange::last);
  return range != end && range->first <= code;
}

}  // namespace

std::string normalized(std::string_view text, NormalForm form) {
  std::string out;
  out.reserve(text.size());
  const char *const end = text.data() + text.size(), *valid = text.data(), *at = valid;
  if (stays(text, form)) at = end;
  while (at < end) {
    const Character c = character_at(at, end);
    if (is_boundary(c.code)) {
      append_normalized({valid, at}, form, out);
      out.append(at, c.bytes);
      valid = at + c.bytes;
    }
    at += c.bytes;
  }
  append_normalized({valid, end}, form, out);
  return out;
}

}  // namespace weft::tokenizer
