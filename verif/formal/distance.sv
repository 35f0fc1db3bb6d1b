/// Number of requests that can be served before `of_i` by a round-robin chooser: those between the last choice and it, going
/// up and wrapping round. `above_i` is the chooser's state: the set of requests above the last choice, which are served
/// before the others.
///
/// Latency: none.
module distance #(
  parameter int unsigned Requests = 4
) (
  input  logic [$clog2(Requests)-1:0]   of_i,
  input  logic [Requests-1:0]           above_i,
  output logic [$clog2(Requests+1)-1:0] distance_o
);

  typedef logic [$clog2(Requests+1)-1:0] count_t;

  count_t first;  // the lowest of those above, or the lowest of all
  always_comb begin
    first = '0;
    for (int unsigned i = 0; i < Requests; i++) first = first + count_t'(!above_i[i]);
    if (32'(first) == Requests) first = '0;
    distance_o = count_t'(of_i) - first;
    if (count_t'(of_i) < first) distance_o = count_t'(Requests) - (first - count_t'(of_i));
  end

endmodule
