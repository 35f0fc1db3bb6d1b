"""Guards: lines of the RTL that matter. Without one of them a named property fails (take_out.py)."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Guard:
    name: str
    proof: str
    file: str      # of rtl/
    old: str       # once in it
    new: str
    property: str  # that fails, among others: a regular expression
    parameters: str = "Colors=2 Depth=2"  # small ones, that are quick


GUARDS = (
    Guard("queue_empties_with_its_last", "buffers", "fabric/link_buffers.sv", "~(pop_i & one_left)", "~pop_i",
          "NothingLostNothingDoubled", "Colors=2 Depth=2"),
    Guard("credit_comes_with_the_pop", "link", "fabric/link_buffers.sv", "popped_q <= pop_i | refused;",
          "popped_q <= nonempty_q;",
          "CreditsAreConserved"),
    Guard("credit_comes_back", "link", "fabric/link_credits.sv", "carry  = credit_i & ~take_i;", "carry  = '0;",
          "CreditsAreConserved"),
    Guard("credit_is_asked_for", "link", "fabric/link_credits.sv", "assign avail_o = avail;", "assign avail_o = '1;",
          "AvailMeansACredit"),
    Guard("credit_comes_without_a_queue", "buffers_left_out", "fabric/link_buffers.sv", "popped_q <= pop_i | refused;",
          "popped_q <= pop_i;", "OneCreditForEachThatLeaves", "Built=11"),
    Guard("turn_moves_on", "picker", "fabric/color_picker.sv", "from_q <= hold_i ? upwards : upwards & ~pick;",
          "if (hold_i) from_q <= upwards;",
          "DistanceFalls", "Colors=3"),
    Guard("one_grant_an_output", "arbiter", "fabric/router_arbiter.sv", "request_i[i] & ~given & (", "request_i[i] & (",
          "OneInputPerOutput", ""),
    Guard("outputs_take_turns", "arbiter", "fabric/router_arbiter.sv", "given | (above_q[i] & ~sent)", "above_q[i]",
          "DistanceFalls", ""),
    Guard("branch_needs_a_credit", "input", "fabric/router_input.sv", "possible = pending_q & avail_i;",
          "possible = pending_q;",
          "AsksForWhatIsLeftAndHasACredit", "Colors=2"),
    Guard("branch_is_done_once", "input", "fabric/router_input.sv", "pending_q[o][c] & ~grant_i[o]);", "pending_q[o][c]);",
          "PendingIsWhereItHasNotBeen", "Colors=2"),
    Guard("pop_waits_for_all_branches", "input", "fabric/router_input.sv", "done = (left & ~grant_i)",
          "done = (request_o & ~grant_i)",
          "PoppedWithItsLastBranch", "Colors=2"),
    Guard("input_wakes_for_a_route", "input_sleep", "fabric/router_input.sv", "(eligible | fresh_q) != '0;", "eligible != '0;",
          "router_input.sv", "Colors=2 Sleep=1"),
    Guard("router_takes_a_credit", "router", "fabric/router.sv", "take[o] = Colors'(sent[o]) << msg_d[o].color;",
          "take[o] = '0;",
          "CreditsOutAreConserved"),
    Guard("router_wakes_for_a_credit", "router_sleep", "fabric/router.sv", " || credit_o != '0;", ";", "link_buffers.sv",
          "Colors=2 Depth=2 Sleep=1"),
    Guard("valve_waits_for_room", "valve", "edge/valve.sv", "take = valid_i && ready_o;", "take = valid_i;",
          "CreditNeverNegative",
          "Depth=2"),
    Guard("intake_serves_once", "intake", "edge/intake.sv", "pop ? '0 : served_q | send", "'0", "NothingLostNothingDoubled",
          "Depth=2"),
    Guard("intake_serves_the_next", "intake", "edge/intake.sv", "pop ? '0 : served_q | send", "served_q | send",
          "ServedIsAPartOfTheWanted|NothingLostNothingDoubled", "Depth=2"),
    Guard("intake_reads_the_row", "intake", "edge/intake.sv", "(front[0].ctrl || !mine)", "!mine",
          "FrontWaitsForNothingButACredit",
          "Depth=2"),
    Guard("outlet_holds_its_offer", "outlet", "edge/outlet.sv", "load = !valid_q || host_ready_i;", "load = 1'b1;",
          "OfferStays|NothingLostNothingDoubled"),
    Guard("outlet_wakes_for_its_buffer", "outlet_sleep", "edge/outlet.sv", " || (nonempty | credit_o) != '0;", ";",
          "outlet.sv", "Colors=2 Depth=2 Sleep=1"),
    Guard("command_waits_for_rest", "command", "pe/pe_command.sv", "if (rest_i && valid_i) begin", "if (valid_i) begin",
          "OneEffectOfATakenCommand", ""),
    Guard("command_is_for_the_selected", "command", "pe/pe_command.sv", "call_o = selected_q;", "call_o = 1'b1;",
          "OnlySelectedTilesAct", ""),
    Guard("mark_is_for_every_tile", "command", "pe/pe_command.sv", "mark_o    = pop_o & ctrl_i & is_mark;",
          "mark_o    = pop_o & ctrl_i & is_mark & selected_q;",
          "EveryTileMarks", ""),
    Guard("turn_is_held", "input", "fabric/router_input.sv", "hold = (request_o & ~grant_i) != '0 && !last;", "hold = 1'b0;",
          "HeldWhileItLacksAGrant", "Colors=2"),
    Guard("turn_ends", "input", "fabric/router_input.sv", "~grant_i) != '0 && !last;", "~grant_i) != '0;",
          "WaitFalls", "Colors=2"),
    Guard("held_is_first_in_line", "picker", "fabric/color_picker.sv", "hold_i ? upwards : upwards & ~pick", "upwards & ~pick",
          "HeldIsFirstInLine", "Colors=3"),
    Guard("router_grants_in_time", "router", "fabric/router_input.sv", "hold = (request_o & ~grant_i) != '0 && !last;",
          "hold = 1'b0;",
          "WaitFalls"),
    Guard("route_takes_built_turns", "router_kernel", "fabric/route_check.sv", "outputs = Turns[c][p] & ~{2'b00, edge_q};",
          "outputs = ~{2'b00, edge_q};", "RouteIs", "Kernel=1"),
    Guard("route_stays_on_the_wafer", "router", "fabric/route_check.sv", "outputs = Turns[c][p] & ~{2'b00, edge_q};",
          "outputs = Turns[c][p];", "RouteIs"),
    Guard("queue_writes_behind_its_last", "path", "fabric/link_buffers.sv", "|(wptr_q[b][l*Colors+:Colors] & into)",
          "|(rptr_q[b][l*Colors+:Colors] & into)", "EachInItsPlace"),
    Guard("lane_rounds_to_even", "fma", "pe/fma_lane.sv", "up       = norm[3] & (norm[4] | (|norm[2:0]));",
          "up       = norm[3];", "SameRounded", ""),
    Guard("fast_lane_sees_what_falls_out", "fma", "pe/fma_fast.sv", "aligned << 1 | sticky", "aligned << 1", "SameSmall", ""),
)
