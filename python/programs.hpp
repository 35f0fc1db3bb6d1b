/// Layouts and wafers of the program's own.
#pragma once

#include <nanobind/nanobind.h>

namespace weft_python {

void add_programs(nanobind::module_& module);

}  // namespace weft_python
