"""The benches: the instances of the recorded wafer that Icarus plays, and the cycles in which each of their outputs is compared."""
from dataclasses import dataclass, field

WAFER = "flat.weft_wafer"
TILE = f"{WAFER}.gen_row[0].gen_col[0].i_tile"
PE = f"{TILE}.i_pe"
ROUTER = f"{TILE}.i_router"
CELL = f"{WAFER}.gen_valve[0].gen_cell[0].i_cell"


@dataclass(frozen=True)
class Bench:
    name: str
    module: str
    scope: str
    only: dict = field(default_factory=dict)  # output: when it is compared, or which of its elements; other outputs in all cycles
    direct: bool = False                      # read by Icarus as it is, but for dialect.py; else made by yosys
    quick: bool = False                       # in `make test`


@dataclass(frozen=True)
class By:
    """The elements whose bit of a port is 1: the contract's valid."""
    port: str
    count: int = 1

    def bits(self, instance):
        return iter(instance.values[self.port])


@dataclass(frozen=True)
class Both:
    """All bits, while neither port is 0."""
    port: str
    other: str
    count: int = 1

    def bits(self, instance):
        return (int(a != 0 and b != 0) for a, b in zip(instance.values[self.port], instance.values[self.other]))


@dataclass(frozen=True)
class Picked:
    """A link's front: that of the color that is picked, if there is a message."""
    count: int

    def bits(self, instance):
        colors = instance.ports["select_i"].width // self.count  # of a link
        of_link = (1 << colors) - 1
        for pick, nonempty in zip(instance.values["select_i"], instance.values["nonempty_o"]):
            fronts = pick & nonempty
            yield sum(1 << link for link in range(self.count) if fronts >> colors * link & of_link)


@dataclass(frozen=True)
class Since:
    """All bits, from `cycles` cycles after a port was 1 for the first time (while `which` is `at`): a register that holds."""
    port: str
    cycles: int = 0
    which: str = ""
    at: int = 0
    count: int = 1

    def bits(self, instance):
        values = instance.values
        total = len(values[self.port])
        here = (v == self.at for v in values[self.which]) if self.which else (True for _ in range(total))
        first = next((c for c, (v, h) in enumerate(zip(values[self.port], here)) if v and h), total)
        return (int(c >= first + self.cycles) for c in range(total))


@dataclass(frozen=True)
class Filled:
    """All bits, while a queue has a message: the halves of a port, where it is read and written, differ."""
    port: str
    half: int
    count: int = 1

    def bits(self, instance):
        return (int(v >> self.half != v & (1 << self.half) - 1) for v in instance.values[self.port])


def links(*names):
    return {f"{n}msg_o": By(f"{n}valid_o") for n in names}


TILE_LINKS = links("n_", "e_", "s_", "w_")
ENDS = links("chain_", "host_", "tile_")

BENCHES = (
    Bench("wafer", "weft_wafer", WAFER, {"outlet_msg_o": By("outlet_valid_o", 2)}),
    Bench("tile", "weft_tile", TILE, TILE_LINKS, quick=True),
    Bench("tile_1_1", "weft_tile", f"{WAFER}.gen_row[1].gen_col[1].i_tile", TILE_LINKS),
    Bench("pe", "weft_pe", PE, {"msg_o": By("valid_o"), "route_o": By("route_we_o")}),
    Bench("pe_issue", "weft_pe_issue", f"{PE}.i_issue",
          {"main_hold_o": By("main_valid_i"), "main_table_o": By("main_valid_i"), "psum_credit_o": By("psum_valid_i")}),
    Bench("pe_hazard", "weft_pe_hazard", f"{PE}.i_issue.i_hazard",
          {"main_wait_o": By("main_valid_i"), "psum_wait_o": By("psum_valid_i")}),
    Bench("pe_outbox", "weft_pe_outbox", f"{PE}.gen_outbox.i_outbox", {**links(""), "front_o": Filled("pointers_o", 4)}),
    Bench("router", "weft_router", ROUTER, {"msg_o": By("valid_o", 5)}),
    Bench("router_input", "weft_router_input", f"{ROUTER}.gen_input[3].i_input", {"w_left_o": Since("rst_i", 2)}),
    Bench("route_check", "weft_route_check", f"{ROUTER}.i_route_check"),
    Bench("link_buffers", "weft_link_buffers", f"{ROUTER}.i_buffers", {"front_o": Picked(5)}),
    Bench("edge_cell", "weft_edge_cell", CELL, ENDS),
    Bench("intake", "weft_intake", f"{CELL}.i_intake", links("next_", "tile_")),
    Bench("outlet", "weft_outlet", f"{CELL}.i_outlet", links("host_")),
    Bench("valve", "weft_valve", f"{WAFER}.gen_valve[0].i_valve", links(""), direct=True),
    Bench("link_credits", "weft_link_credits", f"{ROUTER}.i_credits", direct=True),
    Bench("router_arbiter", "weft_router_arbiter", f"{ROUTER}.i_arbiter", direct=True),
    Bench("rr_arbiter", "weft_rr_arbiter", f"{ROUTER}.gen_input[3].i_input.i_arbiter", direct=True),
    Bench("fma_lanes", "weft_fma_lanes", f"{PE}.i_vector.i_lanes.i_fma",
          {"a_o": Since("valid_i", 1), "result_o": Since("valid_o")}, direct=True, quick=True),
    Bench("pe_gather", "weft_pe_gather", f"{PE}.i_main_seq.i_groups.i_gather",
          {"count_o": By("valid_o"), "last_o": By("valid_o"), "data_o": Both("valid_o", "count_o")}, direct=True),
    Bench("pe_handoff", "weft_pe_handoff", f"{PE}.i_handoff",
          {"mp_front_o": Since("mp_put_i", 1), "mp_second_o": Since("mp_put_i", 1)}, direct=True),
    Bench("pe_table", "weft_pe_table", f"{PE}.i_vector.i_table", {"y_o": Since("sfu3_i", 8)}, direct=True),
)
