/// Signatures of file formats: one function per format, over the first bytes of a file.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <string_view>

namespace weft::signature {

using namespace std::string_view_literals;
using Start = std::string_view;

inline std::size_t byte(Start start, std::size_t at) {
  return at < start.size() ? static_cast<std::uint8_t>(start[at]) : 0;
}

// ---- ZIP archives: the name of the first file identifies the content.

inline constexpr auto kZip = "PK\x03\x04"sv;

inline Start first_in_zip(Start start) {
  constexpr std::size_t kName = 30;
  if (!start.starts_with(kZip) || start.size() < kName) return {};
  return start.substr(kName, byte(start, 26) | byte(start, 27) << 8);
}
/// NAME/data/0: the first tensor of TorchScript.
inline bool is_torch_script_data(Start name) {
  const std::size_t at = name.find("/data/");
  return at != Start::npos && name.size() > at + 6 && name.find_first_not_of("0123456789", at + 6) == Start::npos;
}
inline bool is_torch_zip(Start start) {
  const Start name = first_in_zip(start);
  return name.ends_with("/data.pkl") || name.ends_with("/constants.pkl") || name.ends_with("/version") ||
         is_torch_script_data(name);
}
inline bool is_npz(Start start) { return first_in_zip(start).ends_with(".npy"); }
inline bool is_zip(Start start) { return start.starts_with(kZip); }

// ---- Pickles: before version 1.6, PyTorch wrote several to a file, of which the first is a magic number.

inline bool is_torch_pickle(Start start) {
  return start.starts_with("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19"sv);
}
inline bool is_pickle(Start start) {
  return byte(start, 0) == 0x80 && byte(start, 1) >= 2 && byte(start, 1) <= 5 && start.size() > 4 &&
         (byte(start, 2) == 0x95 || Start("}]c(cXU\x8a\x8c").find(start[2]) != Start::npos);
}

// ---- Texts that stand in for a file.

inline Start without_space(Start start) {
  if (start.starts_with("\xef\xbb\xbf")) start.remove_prefix(3);
  return start.substr(std::min(start.find_first_not_of(" \t\r\n"), start.size()));
}
inline bool begins(Start text, Start lower) {
  return text.size() >= lower.size() && std::ranges::equal(text.substr(0, lower.size()), lower, {}, [](char c) {
           return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
         });
}
inline bool is_html(Start start) {
  const Start text = without_space(start);
  return begins(text, "<!doctype html") || begins(text, "<html") || begins(text, "<head>");
}
inline bool is_xml(Start start) {
  return begins(without_space(start), "<?xml") || without_space(start).starts_with("<Error>");
}
inline bool is_lfs_pointer(Start start) { return start.starts_with("version https://git-lfs.github.com/spec/"); }
inline bool is_annex_pointer(Start start) { return start.starts_with("/annex/objects/"); }
inline bool is_answer(Start start) {
  for (const Start answer : {"Entry not found"sv, "Repository not found"sv, "Invalid username or password"sv,
                             "Access to model"sv, "404: Not Found"sv, "404 Not Found"sv, "Not Found"sv})
    if (start.starts_with(answer)) return true;
  return start.starts_with("{\"error\":");
}

// ---- Weights.

inline bool is_safetensors(Start start) {
  for (std::size_t at = 4; at < 8; ++at)
    if (byte(start, at) != 0) return false;
  return start.size() > 9 && start[8] == '{' && (start[9] == '"' || start[9] == '}' || start[9] == ' ');
}
inline bool is_safetensors_index(Start start) {
  return without_space(start).starts_with('{') && start.find("\"weight_map\"") != Start::npos;
}
inline bool is_hf_config(Start start) {
  return without_space(start).starts_with('{') &&
         (start.find("\"model_type\"") != Start::npos || start.find("\"architectures\"") != Start::npos);
}
/// Field 1 of ONNX's ModelProto is a small version, field 2 the name of the program that wrote the file.
inline bool is_onnx(Start start) {
  if (byte(start, 0) != 0x08 || byte(start, 1) == 0 || byte(start, 1) > 20 || byte(start, 2) != 0x12) return false;
  const Start name = start.substr(std::min<std::size_t>(4, start.size()), byte(start, 3));
  return name.size() >= 2 && std::ranges::all_of(name, [](char c) { return c >= ' ' && c <= '~'; });
}
/// The header of TensorFlow's bundle of variables, a table of LevelDB whose first key is empty.
inline bool is_tensorflow_index(Start start) {
  return start.size() > 9 && start[0] == 0 && start[1] == 0 && start[3] == 8 &&
         start.substr(4, 12).find("\x1a\x02\x08\x01"sv) != Start::npos;
}
/// A map of MessagePack with a short text as its first key, as Flax writes parameters.
inline bool is_message_pack(Start start) {
  const std::size_t map = byte(start, 0), key = byte(start, 1);
  if (map < 0x81 || map > 0x8f || key < 0xa1 || key > 0xbf || start.size() < 2 + key - 0xa0) return false;
  return std::ranges::all_of(start.substr(2, key - 0xa0), [](char c) { return c >= ' ' && c <= '~'; });
}

// ---- Tokenizers of other programs, in JSON.

/// Mistral's format, which begins with settings.
inline bool is_tekken(Start start) {
  return without_space(start).starts_with('{') && start.find("\"config\"") != Start::npos &&
         start.find("\"num_vocab_tokens\"") != Start::npos;
}
/// The format of tiktoken's JavaScript version.
inline bool is_tiktoken_json(Start start) {
  return without_space(start).starts_with('{') && start.find("\"pat_str\"") != Start::npos;
}

// ---- Text in another encoding.

inline bool is_utf16(Start start) {
  if (start.size() < 4) return false;
  return (start.starts_with("\xff\xfe") && start[2] > 0 && start[3] == 0) ||
         (start.starts_with("\xfe\xff") && start[2] == 0 && start[3] > 0);
}

inline bool is_utf32(Start start) {
  return (start.starts_with("\xff\xfe\0\0"sv) && start.size() > 7 && start[4] > 0 && start[7] == 0) ||
         start.starts_with("\0\0\xfe\xff"sv);
}

/// UTF-16 without a byte order mark, of letters below U+0100: in the first letters every other byte is 0, and no other
/// byte is. `zero`: the place of the 0 byte in a letter.
inline bool is_bare_utf16(Start start, std::size_t zero) {
  constexpr std::size_t kLeast = 8, kMost = 32;  // letters
  const std::size_t letters = std::min(start.size() / 2, kMost);
  if (letters < kLeast) return false;
  for (std::size_t i = 0; i < letters; ++i)
    if (start[2 * i + zero] != 0 || start[2 * i + 1 - zero] == 0) return false;
  return true;
}
inline bool is_bare_utf16_little(Start start) { return is_bare_utf16(start, 1); }
inline bool is_bare_utf16_big(Start start) { return is_bare_utf16(start, 0); }

/// GGUF, and GGML's four formats: a magic number, then a 32-bit number.
inline bool is_ggml(Start start) {
  for (const Start magic : {"GGUF"sv, "lmgg"sv, "tjgg"sv, "fmgg"sv, "algg"sv})
    if (start.starts_with(magic) && start.size() > 7 && start[7] == 0) return true;
  return false;
}
/// llama2.c's format: "ak42" as a number, then a version.
inline bool is_llama2_c(Start start) { return start.starts_with("24ka"sv) && start.size() > 7 && start[7] == 0; }
/// llm.c's files other than weights: a magic number, then a version.
inline bool is_llmc_magic(Start start, std::uint32_t magic) {
  std::uint32_t first = 0;
  for (std::size_t n = 0; n < 4; ++n) first |= static_cast<std::uint32_t>(byte(start, n)) << (8 * n);
  return first == magic && byte(start, 4) > 0 && byte(start, 5) == 0 && byte(start, 6) == 0 && byte(start, 7) == 0;
}
template <std::uint32_t Number>
bool is_llmc(Start start) {
  return is_llmc_magic(start, Number);
}

inline bool is_gzip(Start start) { return start.starts_with("\x1f\x8b"sv); }
/// gzip's header of 10 bytes: the only compression method, known flags, a level and an operating system.
inline bool is_whole_gzip(Start start) {
  return is_gzip(start) && byte(start, 2) == 8 && byte(start, 3) < 0x20 && (byte(start, 8) & ~6U) == 0 &&
         (byte(start, 9) < 14 || byte(start, 9) == 0xff);
}
inline bool is_compress(Start start) { return start.starts_with("\x1f\x9d"sv); }
inline bool is_arrow_stream(Start start) { return start.starts_with("\xff\xff\xff\xff"sv); }

/// bzip2 of any level, with or without content.
inline bool is_bzip2(Start start) {
  return start.starts_with("BZh") && byte(start, 3) >= '1' && byte(start, 3) <= '9' &&
         (start.substr(4).starts_with("1AY&SY") || start.substr(4).starts_with("\x17rE8P\x90"sv));
}
/// The lzma format that preceded xz: settings, the size of the dictionary, and the size of the content or none.
inline bool is_lzma(Start start) {
  return start.starts_with("\x5d\0\0"sv) && start.size() > 12 && (byte(start, 12) == 0 || byte(start, 12) == 0xff);
}

/// Lines of JSON objects with a text.
inline bool is_json_lines(Start start) { return start.starts_with("{\"") && start.find("\"text\":") != Start::npos; }

/// Magic bytes at offset `At`.
template <std::size_t At = 0>
struct Magic {
  template <char... Bytes>
  static bool is(Start start) {
    constexpr std::array<char, sizeof...(Bytes)> kBytes{Bytes...};
    return start.size() >= At && start.substr(At).starts_with(Start(kBytes.data(), kBytes.size()));
  }
};

}  // namespace weft::signature
