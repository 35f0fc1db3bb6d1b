#include "verif/trace/fst_file.hpp"

#include <array>
#include <cerrno>
#include <ctime>
#include <deque>
#include <unordered_map>
#include <utility>

#include "sw/base/refusal.hpp"
#include "verif/trace/fst_bytes.hpp"

namespace weft::trace {
namespace {

using fst::add_number;
using fst::add_varint;

constexpr char kHeader = 0, kGeometry = 3, kHierarchy = 4, kChanges = 8;              // types of blocks
constexpr char kWire = 16, kText = 21;                                                // kinds of signals
constexpr char kModule = 0, kAttribute = '\xfc', kScope = '\xfe', kUpscope = '\xff';  // entries of the hierarchy
constexpr char kMisc = 0, kEnumTable = 7;                                             // kinds of attributes

[[noreturn]] void cannot_write(const std::string& path, int error) {
  throw Refusal(path, "cannot be written",
                error == EFBIG ? "raise the limit on the size of a file (ulimit -f)"
                               : "make room, or name a place on another disk")
      .caused_by(error);
}

void add_string(std::string& to, std::string_view text) {
  to += text;
  to.push_back('\0');
}

void add_attribute(std::string& to, std::string_view text, std::uint64_t number) {
  to += {kAttribute, kMisc, kEnumTable};
  add_string(to, text);
  add_varint(to, number);
}

/// Encodes `text` as a word: separators and non-ASCII bytes become \ and three octal digits.
std::string escaped(const std::string& text) {
  std::string word;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > ' ' && byte <= '~' && std::string_view("'\"\\?").find(c) == std::string_view::npos) {
      word.push_back(c);
    } else {
      word.push_back('\\');
      for (const int shift : {6, 3, 0}) word.push_back(static_cast<char>('0' + (byte >> shift & 7)));
    }
  }
  return word;
}

std::string date() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  std::array<char, 26> text{};
  if (::localtime_r(&now, &parts) == nullptr || ::asctime_r(&parts, text.data()) == nullptr) return "";
  return text.data();
}

}  // namespace

FstFile::FstFile(const std::string& path, const std::string& called, std::size_t block_bytes)
    : called_(called), file_(std::fopen(path.c_str(), "wbe")), block_bytes_(block_bytes) {
  if (file_ == nullptr) cannot_write(called, errno);
  write_block(kHeader, {header()});
}

FstFile::~FstFile() {
  try {
    close();
  } catch (const std::exception&) {  // callers that need the error call close()
  }
}

void FstFile::open_scope(const std::string& name) {
  hierarchy_ += {kScope, kModule};
  add_string(hierarchy_, name);
  add_string(hierarchy_, "");  // component name, unused by viewers
  ++scopes_;
}

void FstFile::close_scope() { hierarchy_.push_back(kUpscope); }

FstFile::Enum FstFile::enumeration(const std::string& name, const std::vector<std::string>& values, unsigned bits) {
  std::string table = name + " " + std::to_string(values.size());
  for (const std::string& value : values) table += " " + escaped(value);
  for (std::size_t v = 0; v < values.size(); ++v) {
    table.push_back(' ');
    for (unsigned b = bits; b-- > 0;) table.push_back(static_cast<char>('0' + (v >> b & 1)));
  }
  add_attribute(hierarchy_, table, ++enums_);
  return static_cast<Enum>(enums_);
}

FstFile::Handle FstFile::declare(char kind, const std::string& name, unsigned bits) {
  hierarchy_ += {kind, 0};  // no direction
  add_string(hierarchy_, name);
  add_varint(hierarchy_, bits);
  add_varint(hierarchy_, 0);  // not an alias of an earlier signal
  add_varint(geometry_, bits == 0 ? 0xffffffff : bits);
  chains_.emplace_back(bits);
  frame_.append(bits, 'x');
  return static_cast<Handle>(chains_.size());
}

FstFile::Handle FstFile::vector(const std::string& name, unsigned bits) {
  return declare(kWire, bits > 1 ? name + " [" + std::to_string(bits - 1) + ":0]" : name, bits);
}

FstFile::Handle FstFile::enumerated(const std::string& name, unsigned bits, Enum type) {
  add_attribute(hierarchy_, "", type);
  return vector(name, bits);
}

FstFile::Handle FstFile::text(const std::string& name) { return declare(kText, name, 0); }

void FstFile::collect(Handle signal, SeenValues& seen) {
  if (signal >= seen_.size()) seen_.resize(signal + 1);
  seen_[signal] = &seen;
}

void FstFile::time(std::uint64_t cycle) {
  if (blocks_ == 0 && steps_ == 0) begin_ = end_ = cycle;
  if (pending_ >= block_bytes_) end_block();
  if (steps_ == 0) {  // a block begins at the last time of the previous one
    block_begin_ = end_;
    add_varint(times_, end_);
    steps_ = 1;
  }
  if (cycle == end_) return;
  add_varint(times_, cycle - end_);
  end_ = cycle;
  ++steps_;
  ++pending_;
}

fst::Chain& FstFile::changed(Handle signal, std::size_t bytes) {
  if (steps_ == 0) time(0);
  pending_ += bytes;
  return chains_.at(signal - 1);
}

void FstFile::emit(Handle signal, std::uint64_t value, unsigned bits) {
  if (SeenValues* seen = seen_of(signal)) seen->add(value, bits);
  fst::Chain& chain = changed(signal, 1 + bits / 8);
  chain.add(steps_ - 1, value);
}

void FstFile::emit(Handle signal, const std::string& bits) {
  if (SeenValues* seen = seen_of(signal)) seen->add(bits);
  fst::Chain& chain = changed(signal, 1 + bits.size());
  chain.add(steps_ - 1, std::string_view(bits));
}

void FstFile::put_text(Handle signal, const std::string& text) {
  fst::Chain& chain = changed(signal, 2 + text.size());
  chain.add_text(steps_ - 1, text);
}

/// Writes the block of changes: its time range, the frame, all chains, the position of each chain, all times.
void FstFile::end_block() {
  const int error = std::exchange(error_, ENOMEM);  // after an exception some changes are lost: nothing more is written
  std::deque<std::string> chains;                   // chains as written, without duplicates
  std::unordered_map<std::string_view, std::uint64_t> first_with;  // signal number of the first signal with this chain
  std::string places;
  std::uint64_t unpacked = 0, unchanged = 0, place = 1, last_place = 0, last_twin = 0;
  std::size_t in_frame = 0;
  std::string frame = frame_;  // values at the beginning of the next block
  for (std::size_t c = 0; c < chains_.size(); ++c) {
    fst::Chain& chain = chains_[c];
    if (chain.bytes().empty()) {
      ++unchanged;
    } else {
      if (unchanged > 0) add_varint(places, unchanged << 1);
      unchanged = 0;
      unpacked += chain.bytes().size();
      // The length before compression, or 0 for uncompressed bytes: short chains do not get shorter.
      const std::string packed = chain.bytes().size() > 32 ? fst::smaller(chain.bytes(), 4) : chain.bytes();
      std::string& written = chains.emplace_back();
      add_varint(written, packed.size() < chain.bytes().size() ? chain.bytes().size() : 0);
      written += packed;
      if (const auto [twin, is_new] = first_with.try_emplace(written, c + 1); is_new) {
        fst::add_signed_varint(places, static_cast<std::int64_t>((place - last_place) << 1 | 1));
        last_place = place;
        place += written.size();
      } else {  // 0: same chain as the previous alias
        const auto other = static_cast<std::int64_t>(twin->second == last_twin ? 0 : twin->second);
        fst::add_signed_varint(places, -other * 2 + 1);
        last_twin = twin->second;
        chains.pop_back();
      }
    }
    chain.end_block(frame.data() + in_frame);
    in_frame += chain.bits();
  }
  if (unchanged > 0) add_varint(places, unchanged << 1);

  std::string front;
  add_number(front, block_begin_);
  add_number(front, end_);
  add_number(front, unpacked);  // memory needed by a reader
  const std::string packed_frame = fst::smaller(frame_, 4);
  add_varint(front, frame_.size());
  add_varint(front, packed_frame.size());
  add_varint(front, chains_.size());
  front += packed_frame;
  add_varint(front, chains_.size());
  front.push_back('Z');  // chains are compressed by zlib; positions are relative to this byte
  std::string back = places;
  add_number(back, places.size());
  const std::string packed_times = fst::smaller(times_, 9);
  back += packed_times;
  add_number(back, times_.size());
  add_number(back, packed_times.size());
  add_number(back, steps_);
  std::vector<std::string_view> parts(chains.begin(), chains.end());
  parts.insert(parts.begin(), front);
  parts.push_back(back);
  error_ = error;
  write_block(kChanges, parts);
  ++blocks_;
  frame_ = std::move(frame);
  std::string().swap(times_);
  steps_ = 0;
  pending_ = 0;
}

std::string FstFile::header() const {
  std::string text;
  add_number(text, begin_);
  add_number(text, end_);
  constexpr double kOrderOfBytes = 2.7182818284590452354;  // readers detect the byte order of reals from this value
  text.append(reinterpret_cast<const char*>(&kOrderOfBytes), sizeof kOrderOfBytes);
  add_number(text, block_bytes_);
  add_number(text, scopes_);
  add_number(text, chains_.size());  // names
  add_number(text, chains_.size());  // signals
  add_number(text, blocks_);
  text.push_back(-9);  // a time unit is 10^-9 seconds
  const auto add_field = [&](std::string field, std::size_t bytes) { field.resize(bytes), text += field; };
  add_field("Weft", 128);
  add_field(date(), 26);
  add_field("", 93);
  text.push_back(0);    // Verilog
  add_number(text, 0);  // time zero
  return text;
}

void FstFile::write(std::string_view bytes) {
  if (error_ == 0 && std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) error_ = errno;
}

void FstFile::write_block(char type, const std::vector<std::string_view>& parts) {
  std::string head(1, type);
  std::uint64_t length = 8;
  for (const std::string_view part : parts) length += part.size();
  add_number(head, length);
  write(head);
  for (const std::string_view part : parts) write(part);
}

void FstFile::close() {
  if (file_ == nullptr) return;
  if (steps_ == 0) time(0);
  end_block();
  std::string geometry;
  add_number(geometry, geometry_.size());
  add_number(geometry, chains_.size());
  write_block(kGeometry, {geometry, fst::smaller(geometry_, 9)});
  std::string hierarchy;
  add_number(hierarchy, hierarchy_.size());
  write_block(kHierarchy, {hierarchy, fst::compressed(hierarchy_, 4, fst::Wrap::Gzip)});
  if (std::fseek(file_.get(), 0, SEEK_SET) != 0 && error_ == 0) error_ = errno;
  write_block(kHeader, {header()});
  if (std::fclose(file_.release()) != 0 && error_ == 0) error_ = errno;
  if (error_ != 0) cannot_write(called_, error_);
}

}  // namespace weft::trace
