#include "sw/network/function.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "kernel_sources.hpp"
#include "sw/asm/assembler.hpp"
#include "sw/base/refusal.hpp"

namespace weft::network {
namespace {

constexpr std::string_view kBack = "_back", kFolder = "sw/kernels/elementwise/";
constexpr std::string_view kForward[] = {"x", "x2", "y", "hi", "lo", "count"};
constexpr std::string_view kBackward[] = {"x", "x2", "dy", "dx2", "scratch", "hi", "lo", "count"};

[[noreturn]] void fail(const assembler::Kernel& kernel, const std::string& problem, const std::string& hint) {
  throw Refusal("model.network", fmt::format("kernel {}: {}", kernel.name, problem), hint)
      .at(fmt::format("{}:{}", kernel.file, kernel.line));
}

bool has(const assembler::Kernel& kernel, std::string_view argument) {
  return std::ranges::count(kernel.parameters, argument, &assembler::Parameter::name) > 0;
}

/// The names of a kernel's arguments, which must be among `known`, and include `result`.
std::vector<std::string> arguments_of(const assembler::Kernel& kernel, std::span<const std::string_view> known,
                                      std::string_view result) {
  std::vector<std::string> names;
  for (const assembler::Parameter& parameter : kernel.parameters) {
    if (std::ranges::find(known, parameter.name) == known.end())
      fail(kernel, fmt::format("{} is no argument of its kind", parameter.name),
           fmt::format("use {}", fmt::join(known, ", ")));
    names.push_back(parameter.name);
  }
  if (!has(kernel, result)) fail(kernel, fmt::format("has no argument {}", result), fmt::format("add {0}=r1", result));
  if (has(kernel, "hi") != has(kernel, "lo")) fail(kernel, "has only one part of its constant", "add hi=r1 and lo=r2");
  return names;
}

}  // namespace

bool Function::has(const std::vector<std::string>& list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

Functions functions_of(const assembler::Source& source) {
  const std::vector<assembler::Kernel> kernels = assembler::declared_kernels({&source, 1});
  Functions functions;
  for (const assembler::Kernel& kernel : kernels) {
    const auto named = [&](const std::string& name) {
      return std::ranges::find(kernels, name, &assembler::Kernel::name);
    };
    if (kernel.name.ends_with(kBack)) {
      if (named(kernel.name.substr(0, kernel.name.size() - kBack.size())) == kernels.end())
        fail(kernel, "is the gradient of no kernel", "declare the kernel of its name without _back, too");
      continue;
    }
    const auto back = named(kernel.name + std::string(kBack));
    if (back == kernels.end())
      fail(kernel, "there is no kernel for its gradient", fmt::format("declare .kernel {}{}, too", kernel.name, kBack));
    Function function{.name = kernel.name,
                      .arguments = arguments_of(kernel, kForward, "y"),
                      .backward = arguments_of(*back, kBackward, "dy")};
    if (!has(kernel, "x")) fail(kernel, "has no argument x", "add x=r1");
    if (has(kernel, "x2") != has(*back, "dx2"))
      fail(*back, "must have dx2 if its function has x2", "correct the arguments");
    if ((has(*back, "x2") && !has(kernel, "x2")) || (has(*back, "hi") && !has(kernel, "hi")))
      fail(*back, "has an argument that its function has not", "correct the arguments");
    functions.push_back(std::make_shared<const Function>(std::move(function)));
  }
  return functions;
}

const Functions& built_in_functions() {
  static const Functions all = [] {
    Functions functions;
    for (const assembler::Source& source : kernels::kKernelSources) {
      if (!source.name.starts_with(kFolder)) continue;
      const Functions more = functions_of(source);
      functions.insert(functions.end(), more.begin(), more.end());
    }
    return functions;
  }();
  return all;
}

}  // namespace weft::network
