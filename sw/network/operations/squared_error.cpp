#include "sw/network/operations.hpp"

namespace weft::network {

const OperationRules& class_loss_rules();

/// The rules of class_loss: both losses read an array of class features, and differ in their kernels and labels.
const OperationRules& squared_error_rules() {
  static const OperationRules rules = [] {
    OperationRules copy = class_loss_rules();
    copy.kind = OperationKind::SquaredError;
    copy.name = "squared_error";
    copy.listed = 9;
    return copy;
  }();
  return rules;
}

}  // namespace weft::network
