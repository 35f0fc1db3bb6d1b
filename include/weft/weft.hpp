/// All of libweft (docs/reference/python.md).
#pragma once

#include "weft/batch.hpp"
#include "weft/checkpoint.hpp"
#include "weft/config.hpp"
#include "weft/debugger.hpp"
#include "weft/error.hpp"
#include "weft/gradients.hpp"
#include "weft/layout.hpp"
#include "weft/modes.hpp"
#include "weft/trainer.hpp"
#include "weft/version.hpp"
#include "weft/wafer.hpp"
