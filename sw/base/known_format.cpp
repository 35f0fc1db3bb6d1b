#include "sw/base/known_format.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "sw/base/format_signatures.hpp"
#include "sw/base/refusal.hpp"
#include "sw/base/shell_word.hpp"

namespace weft {
namespace {

using namespace signature;

constexpr auto kUnpackText = "unpack it, or pack it by gzip or Zstandard";
constexpr auto kColumns = "write its texts as *.jsonl, an object a line";
constexpr auto kTheirWeights = "take the safetensors files that it was made from";
constexpr auto kLlmcWeights =
    "take its checkpoint of the weights, which begins with 20240326: model_*.bin or gpt2_*.bin";
constexpr auto kTorch =
    "convert it: python3 -c \"import sys,torch as t;from safetensors.torch import save_file as s;"
    "d=t.load(sys.argv[1],map_location='cpu',weights_only=True);d=d.get('model',d.get('state_dict',d));"
    "s({k:v.clone().contiguous() for k,v in d.items() if t.is_tensor(v)},sys.argv[2])\" {} OUT.safetensors";

constexpr auto kTensorFlow =
    "load it with transformers 4 (from_tf=True) and save_pretrained(FOLDER, safe_serialization=True); name FOLDER";

constexpr std::size_t kKinds = 8;  // number of kinds of Expected

constexpr auto kImport =
    "have a parameter file written: weft import FOLDER --out mine.yaml --train_input.data_dir TEXT";

/// A recognized format, with hints by Expected; an empty hint stands for the kind's hint in kAnother. In a hint, {}
/// stands for the file.
struct Format {
  bool (*is)(Start);
  Start name;
  Start text = {}, weights = {}, tokenizer = {};
  Start always = {};  ///< a hint for all kinds
};

constexpr Start kLfs = "fetch the file that it represents: git lfs install && git lfs pull, in its repository";
constexpr Start kPage =
    "fetch the file itself, not the page about it: on the Hugging Face Hub /resolve/ in place of /blob/";
constexpr Start kAnswer = "fetch the file again: its name, or the right to read it, was wrong";

constexpr Format kFormats[] = {
    {is_lfs_pointer, "a pointer of Git LFS", {}, {}, {}, kLfs},
    {is_annex_pointer, "a pointer of git-annex", {}, {}, {}, "fetch the file that it represents: git annex get {}"},
    {is_answer, "the answer of a server", {}, {}, {}, kAnswer},
    {is_html, "an HTML page", {}, {}, {}, kPage},
    {is_xml, "an XML text", {}, {}, {}, kAnswer},
    {is_torch_zip, "a file of PyTorch", "name the corpus; a model's weights go to --checkpoint_path", kTorch},
    {is_torch_pickle, "a file of PyTorch before 1.6", "name the corpus; a model's weights go to --checkpoint_path",
     kTorch},
    {is_npz, "an archive of NumPy", "write numpy.uint16 by .tofile(\"OUT.bin\"), for train_input.shard_format nanogpt",
     "write its arrays with safetensors.numpy.save_file"},
    {is_pickle, "a pickle of Python", kColumns, kTorch},
    {is_ggml,
     "a file of llama.cpp (GGUF or GGML)",
     {},
     kTheirWeights,
     "give the tokenizer.json of the model that it was made from"},
    {is_llmc<20240328>, "llm.c's table of tokens (tokenizer.bin)", "name the corpus", kLlmcWeights,
     "give GPT-2's vocab.json and merges.txt, from which it was made"},
    {is_llmc<20240327>, "llm.c's reference values of a step", "name the corpus", kLlmcWeights},
    {is_llmc<20240527>, "llm.c's optimizer and sampler, without the weights", "name the corpus", kLlmcWeights},
    {is_llmc<20240522>, "llm.c's multiple-choice evaluation", "name the corpus", kLlmcWeights},
    {is_llmc<20240803>, "a Llama of llm.c", "name the corpus", "take a GPT-2's or GPT-J's weights"},
    {is_llmc<20240520>, "a token shard of llm.c", {}, kLlmcWeights},
    {is_llmc<20240801>, "a token shard of llm.c", {}, kLlmcWeights},
    {is_llama2_c, "a file of llama2.c", {}, "take a GPT-2's or GPT-J's safetensors"},
    {is_onnx, "an ONNX file", {}, kTheirWeights},
    {is_tensorflow_index, "the index of a TensorFlow checkpoint", {}, kTensorFlow},
    {is_message_pack,
     "a MessagePack file, as Flax writes",
     {},
     "load it with transformers 4 (from_flax=True) and save_pretrained(FOLDER, safe_serialization=True); name FOLDER"},
    {is_safetensors_index, "the index of a checkpoint in several files", {}, "name the folder that it is in"},
    {is_hf_config, "a model's config.json", {}, "name the folder that it is in"},
    {is_json_lines, "JSON, an object a line", "name the file *.jsonl, and its texts are read"},
    {is_safetensors,
     "a safetensors file",
     "name the corpus; a model's weights go to --checkpoint_path",
     {},
     "name the tokenizer.json next to it"},
    {is_gzip, "packed by gzip", {}, {}, {}, "unpack it: gzip -dc {} > OUT"},
    {Magic<>::is<'\x28', '\xb5', '\x2f', '\xfd'>, "packed by Zstandard", {}, {}, {}, "unpack it: zstd -dc {} > OUT"},
    {Magic<>::is<'\xfd', '7', 'z', 'X', 'Z', '\0'>, "packed by xz", kUnpackText, "unpack it: xz -dc {} > OUT"},
    {is_bzip2, "packed by bzip2", kUnpackText, "unpack it: bzip2 -dc {} > OUT"},
    {is_lzma, "packed by lzma", kUnpackText, "unpack it: xz -dc --format=lzma {} > OUT"},
    {Magic<>::is<'L', 'Z', 'I', 'P', '\x01'>, "packed by lzip", kUnpackText, "unpack it: lzip -dc {} > OUT"},
    {Magic<>::is<'\x89', 'L', 'Z', 'O', '\0', '\r', '\n', '\x1a'>, "packed by lzop", kUnpackText,
     "unpack it: lzop -dc {} > OUT"},
    {is_compress, "packed by compress", kUnpackText, "unpack it: gzip -dc {} > OUT"},
    {Magic<>::is<'\xff', '\x06', '\0', '\0', 's', 'N', 'a', 'P', 'p', 'Y'>, "packed by Snappy", kUnpackText,
     "unpack it: python3 -m snappy -d {} OUT"},
    {Magic<>::is<'R', 'a', 'r', '!', '\x1a', '\x07'>, "an archive of RAR", kUnpackText, "unpack it: unrar x {}"},
    {Magic<>::is<'\x04', '\x22', '\x4d', '\x18'>, "packed by LZ4", kUnpackText, "unpack it: lz4 -dc {} > OUT"},
    {Magic<>::is<'7', 'z', '\xbc', '\xaf', '\x27', '\x1c'>, "an archive of 7-Zip", kUnpackText, "unpack it: 7z x {}"},
    {is_zip, "an archive of zip", kUnpackText, "unpack it: unzip {}"},
    {Magic<257>::is<'u', 's', 't', 'a', 'r'>, "an archive of tar", "unpack it, and name the folder",
     "unpack it: tar xf {}"},
    {Magic<>::is<'P', 'A', 'R', '1'>, "a table of Parquet", kColumns},
    {Magic<>::is<'A', 'R', 'R', 'O', 'W', '1', '\0', '\0'>, "a table of Arrow", kColumns},
    {is_arrow_stream, "a stream of Arrow, as the datasets package writes", kColumns},
    {Magic<>::is<'O', 'b', 'j', '\x01'>, "a table of Avro", kColumns},
    {Magic<>::is<'S', 'Q', 'L', 'i', 't', 'e', ' ', 'f', 'o', 'r', 'm', 'a', 't', ' ', '3', '\0'>,
     "a database of SQLite", kColumns},
    {Magic<>::is<'M', 'M', 'I', 'D', 'I', 'D', 'X', '\0'>, "an index of Megatron's data",
     "write the texts that it was made from as *.jsonl"},
    {Magic<>::is<'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'>, "in HDF5",
     "give the file as data_dir without a change, if the Model Zoo wrote the file (docs/howto/text.md)", kTensorFlow},
    {Magic<>::is<'\x93', 'N', 'U', 'M', 'P', 'Y'>, "an array of NumPy",
     "write tokens bare, as numpy.uint16: .tofile(\"OUT.bin\"), for train_input.shard_format nanogpt",
     "write its arrays with safetensors.numpy.save_file"},
    {Magic<>::is<'%', 'P', 'D', 'F', '-'>, "a PDF", "write its text as *.txt"},
    {is_utf32, "in UTF-32", "save it as UTF-8: iconv -f UTF-32 -t UTF-8 {} > OUT"},
    {is_utf16, "in UTF-16", "save it as UTF-8: iconv -f UTF-16 -t UTF-8 {} > OUT"},
    {is_bare_utf16_little, "in UTF-16 without a mark", "save it as UTF-8: iconv -f UTF-16LE -t UTF-8 {} > OUT"},
    {is_bare_utf16_big, "in UTF-16 without a mark", "save it as UTF-8: iconv -f UTF-16BE -t UTF-8 {} > OUT"},
    {is_tekken,
     "a tokenizer of Mistral (tekken)",
     "name the corpus",
     {},
     "give the tokenizer.json of the same model, or tokenize with mistral-common and train on its shards"},
    {is_tiktoken_json,
     "a vocabulary of tiktoken in JSON",
     "name the corpus",
     {},
     "give the tokenizer.json of the same model, or tokenize with tiktoken and train on its shards"},
    {is_tiktoken, "a vocabulary of tiktoken"},
    {is_sentencepiece, "a SentencePiece model"},
};

constexpr std::array<Start, kKinds> kNouns = {"a text",           "a safetensors file", "a tokenizer",
                                              "a token shard",    "an HDF5 file",       "a JSON object",
                                              "a parameter file", "a file of tokens"};
constexpr std::array<Start, kKinds> kAnother = {"name the corpus, a text or *.jsonl",
                                                "take the model's weights in safetensors",
                                                "give a tokenizer.json, a vocab.json with its merges.txt, or a *.model",
                                                "give token shards; weft tokenize makes them of text",
                                                "give the HDF5 files that the Model Zoo's preparation of data writes",
                                                "take another copy of the file",
                                                "give --params a parameter file, e.g. configs/gpt_tiny.yaml",
                                                "give token shards; weft tokenize makes them of text"};

/// True for a format that the expected file may have. A text may have any content, so among the formats that are texts
/// only those are rejected that stand in for a file.
bool may_be(const Format& format, Start start, Expected expected, const std::string& file) {
  const auto is_any = [&](std::initializer_list<bool (*)(Start)> these) {
    return std::ranges::count(these, format.is) > 0;
  };
  const bool bytes = expected == Expected::Weights || expected == Expected::Shard || expected == Expected::Hdf5 ||
                     expected == Expected::BareTokens;
  // numbers may look like these
  if (bytes && is_any({is_utf32, is_bare_utf16_little, is_bare_utf16_big})) return true;
  if (expected == Expected::BareTokens) {  // ids may begin with the three or four bytes of these, or with -1
    if (format.is == is_gzip) return !is_whole_gzip(start);
    return is_any({is_utf16, is_pickle, is_onnx, is_message_pack, is_sentencepiece, is_lzma, is_compress,
                   is_arrow_stream}) ||
           format.name == "an array of NumPy";  // the reader's message tells how to write it bare
  }
  if (expected == Expected::Json || expected == Expected::Tokenizer)
    return is_any({is_hf_config, is_safetensors_index, is_json_lines}) ||
           (expected == Expected::Tokenizer && is_any({is_sentencepiece, is_tiktoken}));
  if (expected != Expected::Text) return false;
  constexpr Start kError[] = {"404", "403", "401", "Not Found", "Access Denied", "Error", "Sign in", "Log in"};
  const Start title = start.substr(std::min(start.find("<title>"), start.size()), 80);
  if (format.is == is_html)
    return std::ranges::none_of(kError, [&](Start error) { return title.find(error) != Start::npos; });
  if (format.is == is_xml) return start.find("<Error>") == Start::npos;
  if (format.is == is_json_lines) return file.find("json") != std::string::npos;
  return is_any({is_answer, is_tiktoken, is_tekken, is_tiktoken_json, is_hf_config, is_safetensors_index,
                 is_sentencepiece, is_message_pack, is_onnx});
}

/// True for the signature of the expected kind.
bool is_expected(Start start, Expected expected) {
  const bool tokens = expected == Expected::Shard || expected == Expected::BareTokens;
  return (expected == Expected::Weights && is_safetensors(start)) ||
         (expected == Expected::Hdf5 && start.starts_with("\x89HDF")) ||
         (tokens && (is_llmc<20240520>(start) || is_llmc<20240801>(start)));
}

std::string with_file(Start hint, const std::string& file) {
  std::string text(hint);
  constexpr Start kFile = "{}";
  // Only the last one is replaced: a command may have braces of its own.
  if (const std::size_t at = text.rfind(kFile); at != std::string::npos)
    text.replace(at, kFile.size(), shell_word(file));
  return text;
}

}  // namespace

bool is_tiktoken(Start start) {
  const std::size_t end = start.find('\n'), space = start.find(' ');
  if (end == Start::npos || space == Start::npos || space == 0 || space + 1 >= end || space % 4 != 0) return false;
  const auto is_base64 = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '/';
  };
  const Start word = start.substr(0, space), rank = start.substr(space + 1, end - space - 1);
  const auto letters = word.find_last_not_of('=') + 1;
  return word.size() - letters <= 2 && std::ranges::all_of(word.substr(0, letters), is_base64) &&
         rank.find_first_not_of("0123456789\r") == Start::npos;
}

bool is_sentencepiece(Start start) {
  const std::size_t piece = byte(start, 1), text = byte(start, 3);
  return byte(start, 0) == 0x0a && byte(start, 2) == 0x0a && text >= 1 && piece >= text + 2 && piece < 128 &&
         start.size() > 4 + text && byte(start, 4 + text) == 0x15;  // its score follows
}

std::optional<OtherFormat> other_format(Start start, Expected expected, const std::string& file) {
  const auto kind = static_cast<std::size_t>(expected);
  if (is_expected(start, expected)) return std::nullopt;
  for (const Format& format : kFormats) {
    if (!format.is(start) || may_be(format, start, expected, file)) continue;
    const bool encoded = format.name.starts_with("in UTF");
    Start hint = expected == Expected::Text || encoded ? format.text
                 : expected == Expected::Weights       ? format.weights
                 : expected == Expected::Tokenizer     ? format.tokenizer
                 : format.is == is_hf_config           ? kImport
                                                       : Start();
    if (!format.always.empty()) hint = format.always;
    if (hint.empty()) hint = kAnother[kind];
    std::string problem = "is " + std::string(format.name);
    if (!encoded) problem += ", not " + std::string(kNouns[kind]);
    return OtherFormat{std::move(problem), with_file(hint, file)};
  }
  if (expected == Expected::Text && (file.ends_with(".csv") || file.ends_with(".tsv")))
    return OtherFormat{"is a table, not a text",
                       std::string(kColumns) + "; or call it *.txt, to train on the table as it is"};
  return std::nullopt;
}

void check_format(Start start, Expected expected, const std::string& file) {
  if (const auto other = other_format(start, expected, file)) throw Refusal(file, other->problem, other->hint);
}

std::string first_bytes(const std::string& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};  // opening a pipe would block
  std::string start(kFormatBytes, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return start;
}

}  // namespace weft
