#include <fmt/format.h>

#include <ostream>

#include "host/config/command_line/commands.hpp"
#include "host/config/command_line/completion.hpp"
#include "host/config/command_line/flags.hpp"
#include "host/config/keys/keys.hpp"

namespace weft::config {
namespace {

/// Escapes text for roff: a line must not begin with a control character, and hyphens must be literal.
std::string roff(std::string_view text) {
  std::string result = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (const char c : text) {
    if (c == '\\') result += "\\e";
    if (c == '-') result += "\\-";
    if (c != '\\' && c != '-') result += c;
  }
  return result;
}

void item(std::ostream& out, const std::string& name, std::string_view value, const std::string& text) {
  out << ".TP\n\\fB" << roff(name) << "\\fR";
  if (!value.empty()) out << " \\fI" << roff(value) << "\\fR";
  out << '\n' << (text.empty() ? "\\&" : roff(text)) << '\n';
}

}  // namespace

void print_manual(const std::string& version, std::ostream& out) {
  out << fmt::format(".TH WEFT 1 \"\" \"{}\" \"\"\n", roff(version));
  out << ".SH NAME\nweft \\- trains language models on weight\\-streaming wafers\n"
         ".SH SYNOPSIS\n\\fBweft\\fR \\fICOMMAND\\fR \\fB\\-\\-params\\fR \\fIFILE\\fR [flags] "
         "[\\fB\\-\\-\\fR\\fIsection.key\\fR "
         "\\fIVALUE\\fR ...]\n.br\n\\fBweft \\-\\-version\\fR\n"
         ".SH DESCRIPTION\nA wafer is a mesh of tiles through which the weights of a model stream. \\fBweft\\fR "
         "compiles a parameter file for the mesh and trains on one wafer or several. Each wafer is a functional "
         "model, simulated RTL or a board, all with the same bits.\n"
         ".SH COMMANDS\n";
  for (const CommandInfo& command : commands()) {
    out << ".SS weft " << roff(command.name) << '\n'
        << roff(command.help) << "\n.PP\nExample: " << roff(command.example) << '\n';
    for (const CommandFlag& flag : command.flags)
      item(out, fmt::format("--{}", flag.name), flag.value, std::string(flag.help));
  }
  out << ".SH FLAGS\nFlags of all commands that take a parameter file. Each flag sets a key.\n";
  for (const Flag& flag : key_flags())
    item(out, flag.letter == 0 ? fmt::format("--{}", flag.name) : fmt::format("-{}, --{}", flag.letter, flag.name),
         flag.value, std::string(flag.help));
  out << ".SH KEYS\nKeys of a parameter file; each key can be given as a flag: \\fB\\-\\-model.num_heads 4\\fR.\n";
  Config defaults;
  for (const Key<Config>& key : config_keys())
    item(out, std::string(key.name), type_name(key.slot(defaults)),
         fmt::format("{}{}[{}]", key.help, key.help.empty() ? "" : " ", key_notes(key, key.slot(defaults))));
  out << ".SH EXIT STATUS\n0: done; 1: the run or the machine failed; 2: an error that the user can correct; 130: "
         "interrupted. An error is reported as one line on standard error that ends with a hint.\n"
         ".SH ENVIRONMENT\n";
  item(out, "NO_COLOR", "", "If set and not empty, nothing is printed in color.");
  item(out, "RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT", "", "Role of this process in a run of several processes.");
  out << ".SH EXAMPLES\n.EX\nweft configs\nweft run \\-\\-params configs/gpt_tiny.yaml \\-\\-num_csx 4 \\-\\-model_dir "
         "out "
         "\\-\\-num_steps 20\n.EE\n";
}

}  // namespace weft::config
