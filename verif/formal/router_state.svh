// An instance of router_state that reads the registers of router `of`; Colors, Depth, stored and credits are the
// caller's.
`define ROUTER_STATE(name, of, stored, credits) \
  router_state #(.Colors(Colors), .Depth(Depth)) name ( \
    .clk_i, .rst_i, .wptr_i(of.i_buffers.wptr_q), .rptr_i(of.i_buffers.rptr_q), .nonempty_i(of.nonempty), \
    .count_i(of.i_credits.count_q), \
    .empty_i({`EACH_INPUT(of, empty_q)}), .fresh_i({`EACH_INPUT(of, fresh_q)}), \
    .route_i({`EACH_INPUT(of, route_q)}), .pending_i({`EACH_INPUT(of, pending_q)}), \
    .stored_o(stored), .credits_o(credits) \
  );
`define EACH_INPUT(of, what) \
  of.gen_input[4].i_input.what, of.gen_input[3].i_input.what, of.gen_input[2].i_input.what, \
  of.gen_input[1].i_input.what, of.gen_input[0].i_input.what
