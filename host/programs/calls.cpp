#include "host/programs/calls.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "host/programs/commands.hpp"
#include "sw/asm/assembler.hpp"
#include "sw/base/did_you_mean.hpp"
#include "sw/base/refusal.hpp"

namespace weft::programs {
namespace {

/// The arguments in the order of the kernel's parameters.
std::vector<int> in_order(const assembler::Kernel& kernel, const Arguments& arguments, const std::string& subject) {
  std::vector<int> values;
  for (const assembler::Parameter& parameter : kernel.parameters) {
    const auto given = arguments.find(parameter.name);
    if (given == arguments.end())
      throw Refusal(subject, "argument " + parameter.name + " is missing", "give a value for each parameter");
    values.push_back(given->second);
  }
  for (const auto& [name, value] : arguments) {
    if (std::ranges::find(kernel.parameters, name, &assembler::Parameter::name) == kernel.parameters.end())
      throw Refusal(subject, "it has no parameter " + name, "give its parameters alone");
    if (value < -32768 || value > 65535)
      throw Refusal(subject, fmt::format("argument {} is {}, which a register of 16 bits does not hold", name, value),
                    "use -32768 to 65535");
  }
  return values;
}

/// Writes an instruction to the entry of the selected tiles.
void write_entry(Commands& commands, const std::string& instruction) {
  commands.add(machine::Command::Iaddr, 0, kEntry);
  commands.add_words(assembler::assemble(instruction, "entry").words);
}

/// A program that has the kernel, and the values of its parameters.
struct Callee {
  const LoadedProgram* loaded;
  const assembler::Kernel* kernel;
  std::vector<int> values;
  std::vector<machine::Selection> tiles;
};

std::vector<Callee> callees(const Image& image, const std::string& name, const Arguments* arguments,
                            const std::string& subject) {
  std::vector<Callee> found;
  for (const LoadedProgram& loaded : image.programs)
    if (const assembler::Kernel* const kernel = loaded.program.kernel(name))
      found.push_back({&loaded, kernel, arguments ? in_order(*kernel, *arguments, subject) : std::vector<int>(),
                       selections(loaded.region, image.shape)});
  if (found.empty())
    throw Refusal(subject, "no program has a kernel of this name",
                  did_you_mean(name, kernels(image), "declare it with .kernel NAME"));
  return found;
}

}  // namespace

std::vector<std::string> kernels(const Image& image) {
  std::vector<std::string> names;
  for (const LoadedProgram& loaded : image.programs)
    for (const assembler::Kernel& kernel : loaded.program.kernels)
      if (!kernel.name.starts_with("weft_") && std::ranges::find(names, kernel.name) == names.end())
        names.push_back(kernel.name);
  return names;
}

std::vector<machine::Message> calls(const Image& image, const std::string& name, const Arguments* arguments,
                                    const std::string& subject) {
  const std::vector<Callee> found = callees(image, name, arguments, subject);
  Commands commands;
  if (found.size() == 1 && found[0].tiles.size() == 1) {
    commands.select(found[0].tiles[0]);
    commands.call(*found[0].kernel, found[0].values);
    return commands.take();
  }
  commands.select({});
  write_entry(commands, "halt");
  for (const Callee& callee : found)
    for (const machine::Selection& tiles : callee.tiles) {
      commands.select(tiles);
      commands.set_registers(*callee.kernel, callee.values);
      write_entry(commands, "jmp " + std::to_string(callee.kernel->address));
    }
  commands.select({});
  commands.add(machine::Command::Call, 0, kEntry);
  return commands.take();
}

}  // namespace weft::programs
