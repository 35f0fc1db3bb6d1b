/// Placement of a tensor's features: the row of each, and the slot of that row.
#pragma once

#include <cstdint>
#include <vector>

namespace weft::compiler {

/// A placement of `features()` features on the rows of a wafer. A slot holds one feature for all tokens of a column.
class Space {
 public:
  /// Feature f on row rows_of[f].
  static Space on_rows(const std::vector<int>& rows_of, int rows);
  /// Round robin: the k-th feature of `order`, which has each once, on row k mod rows.
  static Space interleaved(const std::vector<int>& order, int rows);
  /// Round robin, heaviest feature first (heaviest_first). A greedy placement is tried if the heaviest feature has more
  /// than 4 times the mean load and the fullest row more than 5 % above the mean of the rows: heaviest first, each
  /// feature is placed on the row with the lightest load so far among those with a free slot. The more even placement
  /// is returned; no row needs more slots than with round robin. `loads`: load of each feature; empty: equal loads.
  static Space by_load(int features, int rows, const std::vector<std::uint64_t>& loads);
  /// The features of attention heads ([heads][dim]). A head stays on one row if there are as many heads as rows or more
  /// (the k-th on row k mod rows), else it is spread over `rows / heads` neighbouring rows. `loads`, of each feature:
  /// the heaviest heads, and within a head the heaviest features, are placed first; empty: in their order. `unit`
  /// neighbouring features share a row (dim must be a multiple); with a unit above 1, features stay in their order, or
  /// in that of `order_in_head`: [place], the feature of a head.
  static Space heads(int heads, int dim, int rows, const std::vector<std::uint64_t>& loads = {}, int unit = 1,
                     const std::vector<int>& order_in_head = {});

  /// From lists as on_row() returns them. Throws std::invalid_argument unless each feature, from 0 on, occurs once.
  static Space listed(std::vector<std::vector<int>> at);

  int rows() const { return static_cast<int>(at_.size()); }
  int features() const { return static_cast<int>(row_.size()); }
  int row(int feature) const { return row_[feature]; }
  int slot(int feature) const { return slot_[feature]; }
  /// Features of row r, by slot.
  const std::vector<int>& on_row(int r) const { return at_[r]; }
  int count(int r) const { return static_cast<int>(at_[r].size()); }
  /// Slots a row needs: the largest count.
  int slots() const { return slots_; }
  /// The load of the row with the largest load, divided by the mean of all rows; 1 if all loads are 0.
  double fullest_over_mean(const std::vector<std::uint64_t>& loads) const;

 private:
  explicit Space(int features, int rows) : row_(features), slot_(features), at_(rows) {}
  void place(int feature, int row);
  std::vector<int> row_, slot_;
  std::vector<std::vector<int>> at_;
  int slots_ = 0;
};

/// Rows one head is spread over (1 if there are as many heads as rows or more).
int rows_per_head(int heads, int dim, int rows, int unit = 1);

}  // namespace weft::compiler
