/// The catalogue of programs that hang: a function for each, with its source and the place of its bug next to each
/// other. It is longer than 350 lines because it is a list, of which no part is needed without the rest.
#include "tests/deadlock/injected_bug.hpp"

#include "sw/compiler/memory/memory_plan.hpp"
#include "sw/compiler/program/load.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "tests/cosim/tiny.hpp"
#include "verif/sim/replicated_wafer.hpp"

namespace weft::deadlock {
namespace {

using isa::Port;

/// Routes, a program of one file, and its call; the root cause is the line with "; HERE".
InjectedBug inject(std::string name, const machine::WaferShape& shape, const std::string& source, Fault fault) {
  InjectedBug p;
  p.name = std::move(name);
  p.shape = shape;
  p.program = assembler::assemble(source, "hang.s");
  p.fault = fault;
  p.row = p.col = 0;
  p.psum = true;
  const std::size_t here = source.find("; HERE");
  p.at = "hang.s:" +
         std::to_string(1 + std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(here), '\n'));
  p.messages = compiler::route_messages(shape);
  const auto load = compiler::program_messages(p.program);
  p.messages.insert(p.messages.end(), load.begin(), load.end());
  p.messages.push_back(machine::Message::command(machine::Command::Call, 0, 0));
  return p;
}

/// A program whose main thread starts psum at `psum` and waits for it.
std::string psum_alone(const std::string& text) { return "fork psum\njoin\nhalt\npsum:\n" + text; }

/// Removes the route of RING from the north in row 1.
void lose_route(std::vector<machine::Message>& messages) {
  const std::uint16_t route = 1 << 11 | static_cast<int>(Port::N) << 8 | 1 << static_cast<int>(Port::Ramp);
  int row = -1;
  std::erase_if(messages, [&](const machine::Message& m) {
    if (m.data >> 24 == static_cast<unsigned>(machine::Command::Select)) row = machine::Selection::of(m.data).row;
    return row == 1 && m == machine::Message::command(machine::Command::Route, 0, route);
  });
}

InjectedBug missing_route() {
  InjectedBug p = inject("MissingRoute", {.rows = 3, .cols = 2}, psum_alone(R"(
        csrr r1, ROW
        li   r2, 7
        beq  r1, r0, first
        rcv  r2, RING           ; HERE
        csrr r3, ROWS
        addi r1, r1, 1
        beq  r1, r3, last
first:  snd  RING, r2
last:   halt
)"),
                         Fault::NoRoute);
  lose_route(p.messages);
  p.row = 1;
  p.says = "tile (1,0) has no route for RING from N";
  return p;
}

InjectedBug lost_credit() {
  InjectedBug p = inject("LostCredit", {.rows = 2, .cols = 1}, psum_alone(R"(
        csrr r1, ROW
        li   r2, 8
        beq  r1, r0, send
take:   rcv  r3, RING           ; HERE
        dbnz r2, take
        halt
send:   snd  RING, r2
        dbnz r2, send
        halt
)"),
                         Fault::LostCredit);
  p.row = 1;
  p.says = "the link from tile (0,0) to the south has lost 4 of its 4 credits for RING";
  p.model = p.bounded = p.check = false;
  p.harm = [](Wafer& wafer) {
    for (int i = 0; i < 4; ++i)
      dynamic_cast<sim::ReplicatedWafer&>(wafer).lose_credit(0, 0, static_cast<int>(Port::S),
                                                             static_cast<int>(machine::Color::Ring));
  };
  return p;
}

InjectedBug waits_twice() {
  InjectedBug p = inject("WaitsTwice", {.rows = 2, .cols = 2}, psum_alone(R"(
        csrr r1, ROW
        beq  r1, r0, send
        rcv  r2, RING
        rcv  r3, RING           ; HERE
        halt
send:   snd  RING, r1
        halt
)"),
                         Fault::Ended);
  p.row = 1;
  p.says = "waits for RING from tile (0,0)'s psum, which has halted";
  return p;
}

InjectedBug message_too_few() {
  InjectedBug p = inject("MessageTooFew", {.rows = 2, .cols = 2}, R"(
        li   r1, 1
        csrw VL, r1
        csrr r2, ROW
        beq  r2, r0, end        ; row 0 rests, which is no fault
        vaxs R[r0], M[r0]       ; HERE
end:    halt
)",
                         Fault::StreamEnded);
  p.messages.push_back(machine::Message::weight(1 << 15, 0x3f80));
  p.row = 1;
  p.psum = false;
  p.says = "the host has sent all its messages";
  return p;
}

}  // namespace

/// Row 1 takes an output that belongs to row 2.
InjectedBug wrong_home_row(const machine::WaferShape& shape) {
  machine::WaferShape apart = shape;
  apart.turns = false;  // one output at a time
  const cosim::Tiny tiny(apart, cosim::tiny_model());
  const compiler::Spaces spaces(tiny.plan.model, shape.rows, {});
  const compiler::MemoryPlan memory(tiny.plan.model, shape, spaces);
  InjectedBug p;
  p.name = "WrongHomeRow";
  p.shape = shape;
  p.program = tiny.plan.program;
  p.messages = tiny.plan.load;
  const auto command = [&](machine::Command code, int value) {
    p.messages.push_back(machine::Message::command(code, 0, static_cast<std::uint16_t>(value)));
  };
  p.messages.push_back(machine::Message::select({.row = 1}));
  command(machine::Command::Maddr, memory.table_hidden);
  command(machine::Command::Mdata, spaces.hidden.count(0));
  command(machine::Command::Mdata, spaces.hidden.count(1) + 1);
  command(machine::Command::Mdata, spaces.hidden.count(2) - 1);
  p.messages.push_back(machine::Message::select());
  std::vector<machine::Message> op;
  compiler::expand(tiny.plan.ops.front(), tiny.parameters, op);
  p.messages.insert(p.messages.end(), op.begin(), op.end());
  p.fault = Fault::Ended;
  p.row = 2, p.col = 0, p.psum = true;
  const assembler::SourceLine line = p.program.lines.at(p.program.labels.at("gp_end"));
  p.at = p.program.files.at(line.file) + ":" + std::to_string(line.line);
  p.says = "waits for RING from tile (1,0)'s psum, which has halted";
  return p;
}

namespace {

InjectedBug both_wait() {
  return inject("BothWait", {.rows = 2, .cols = 2}, psum_alone(R"(
        csrr r1, ROW
        beq  r1, r0, north
        rcv  r2, RING
        snd  NORTH, r2
        halt
north:  rcv  r2, NORTH          ; HERE
        snd  RING, r2
        halt
)"),
                Fault::Cycle);
}

/// Links hold a few words: each tile sends more than that before it receives any.
InjectedBug too_much_at_once() {
  InjectedBug p = inject("TooMuchAtOnce", {.rows = 2, .cols = 1}, psum_alone(R"(
        csrr r1, ROW
        li   r2, 32
        csrw VL, r2
        beq  r1, r0, north
        vs.mov own=R[r0], out=NORTH
        vs.mov in=RING, dst=R[r0]
        halt
north:  vs.mov own=R[r0], out=RING ; HERE
        vs.mov in=NORTH, dst=R[r0]
        halt
)"),
                         Fault::Cycle);
  p.model = false;
  p.says = "waits until RING is taken by tile (1,0)'s psum";
  return p;
}

InjectedBug no_entry() {
  InjectedBug p = inject("NoEntry", {.rows = 1, .cols = 2}, R"(
        li   r1, 1
        csrw VL, r1
        fork psum
        vcr  R[r1], R[r0]
        halt
psum:   li   r1, 1
        csrw VL, r1
        vs.mov own=Q[r1], dst=R[r0]
        vs.mov own=Q[r1], dst=R[r0] ; HERE
        halt
)",
                         Fault::Ended);
  p.says = "waits for an entry of MP from its main, which has halted";
  return p;
}

InjectedBug too_many_entries() {
  InjectedBug p = inject("TooManyEntries", {.rows = 1, .cols = 1}, R"(
        li   r1, 1
        csrw VL, r1
        vcr  R[r1], R[r0]
        vcr  R[r1], R[r0]
        vcr  R[r1], R[r0]       ; HERE
        fork psum
        join
        halt
psum:   halt
)",
                         Fault::Cycle);
  p.psum = false;
  p.says = "waits for room in MP";
  return p;
}

InjectedBug too_many_sums() {
  InjectedBug p = inject("TooManySums", {.rows = 1, .cols = 1}, R"(
        li   r1, 1
        csrw VL, r1
        vaxs Q[r1], M[r0], put
        vaxs Q[r1], M[r0], put
        vaxs Q[r1], M[r0], put  ; HERE
        fork psum
        join
        halt
psum:   halt
)",
                         Fault::Cycle);
  for (int i = 0; i < 3; ++i) p.messages.push_back(machine::Message::command(machine::Command::CR, 0, 0));
  p.psum = false;
  p.says = "waits for room in MP";
  return p;
}

/// Row 0 takes no weight until row 1 has sent, and row 1 gets none until row 0 takes its own.
InjectedBug blocked_intake() {
  InjectedBug p = inject("BlockedIntake", {.rows = 2, .cols = 1}, R"(
        li   r1, 1
        csrw VL, r1
        csrr r2, ROW
        beq  r2, r0, north
        vaxs R[r0], M[r0]
        fork south
        join
        halt
north:  fork psum
        join                    ; HERE
        vaxs R[r0], M[r0]
        halt
psum:   rcv  r1, NORTH
        halt
south:  snd  NORTH, r1
        halt
)",
                         Fault::Cycle);
  for (int i = 0; i < 20; ++i) p.messages.push_back(machine::Message::weight(0, 0x3f80));
  p.messages.push_back(machine::Message::weight(1 << 15, 0x3f80));
  p.messages.push_back(machine::Message::command(machine::Command::CR, 0, 0));
  p.psum = false;
  p.model = false;
  return p;
}

InjectedBug endless() {
  InjectedBug p = inject("Endless", {.rows = 2, .cols = 1}, psum_alone(R"(
        csrr r1, ROW
        beq  r1, r0, loop
        rcv  r2, RING
        halt
loop:   jmp  loop               ; HERE
)"),
                         Fault::Endless);
  p.model = p.bounded = false;  // the model rejects it with a ProgramError
  return p;
}

InjectedBug wrong_color() {
  return inject("WrongColor", {.rows = 2, .cols = 1}, psum_alone(R"(
        csrr r1, ROW
        beq  r1, r0, north
        snd  RING, r1
        halt
north:  rcv  r2, NORTH          ; HERE
        halt
)"),
                Fault::Ended);
}

InjectedBug wrong_length() {
  InjectedBug p = inject("WrongLength", {.rows = 2, .cols = 2}, psum_alone(R"(
        csrr r1, ROW
        li   r2, 5
        csrw VL, r2
        beq  r1, r0, north
        vs.add in=RING, own=R[r0], dst=R[r0] ; HERE
        halt
north:  li   r2, 4
        csrw VL, r2
        vs.mov own=R[r0], out=RING
        halt
)"),
                         Fault::Ended);
  p.row = 1;
  return p;
}

/// A row's vectors are gathered, and the last column has none.
InjectedBug gather_short() {
  InjectedBug p = inject("GatherShort", {.rows = 1, .cols = 3}, R"(
        li   r1, 1
        csrw VL, r1
        fork psum
        vcr  R[r1], R[r0]
        halt
psum:   csrr r1, COL
        li   r2, 2
        beq  r1, r2, end
        li   r1, 1
        csrw VL, r1
        vs.mov own=Q[r1], out=WEST, gather ; HERE
end:    halt
)",
                         Fault::Ended);
  p.col = 1;
  p.says = "waits for WEST from tile (0,2)'s psum, which has halted";
  return p;
}

InjectedBug illegal() {
  InjectedBug p = inject("Illegal", {.rows = 2, .cols = 1}, psum_alone(R"(
        csrr r1, ROW
        beq  r1, r0, north
        rcv  r2, RING           ; HERE
        halt
north:  .word 0
        snd  RING, r1
        halt
)"),
                         Fault::Ended);
  p.row = 1;
  p.check_at = "row 0 psum at north, hang.s:10 `.word 0x00000000`: an illegal instruction halts the thread";
  return p;
}

}  // namespace

InjectedBug moved(const InjectedBug& bug, const machine::WaferShape& shape) {
  InjectedBug p = bug;
  p.shape = shape;
  const auto program = std::ranges::find_if(p.messages, [](const machine::Message& m) {
    return m.ctrl && m.data >> 24 == static_cast<unsigned>(machine::Command::Iaddr);
  });
  auto routes = compiler::route_messages(shape);
  if (p.name == "MissingRoute") lose_route(routes);
  p.messages.erase(p.messages.begin(), program);
  p.messages.insert(p.messages.begin(), routes.begin(), routes.end());
  return p;
}

std::vector<InjectedBug> injected_hangs() {
  return {
      missing_route(),  lost_credit(),      waits_twice(), message_too_few(),  wrong_home_row({.rows = 3, .cols = 2}),
      both_wait(),      too_much_at_once(), no_entry(),    too_many_entries(), too_many_sums(),
      blocked_intake(), endless(),          wrong_color(), wrong_length(),     gather_short(),
      illegal()};
}

}  // namespace weft::deadlock
