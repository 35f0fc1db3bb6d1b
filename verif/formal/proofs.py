"""Every proof that `make formal` runs, and every guard whose removal one of them must detect."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Proof:
    name: str
    top: str        # verif/formal/<top>.sv
    module: str     # module of rtl/ that it is about
    words: str      # the property
    parameters: str = ""  # parameters of the top, "Colors=2 Depth=2"; the others are the wafer's defaults
    cover: int = 16  # steps within which its covers are reached


ORDER = "in order, nothing lost, nothing twice"
SLEEP = "while it may sleep and nothing comes, an edge changes no register and no memory"

PROOFS = (
    Proof("buffers", "buffers_proof", "weft_link_buffers",
          f"every color's queue: {ORDER}; a credit for each pop; a color not built is flagged"),
    Proof("buffers_2", "buffers_proof", "weft_link_buffers", "the same; no other link disturbs it",
          "Links=2 Link=1 Colors=3 Depth=2"),
    Proof("buffers_8", "buffers_proof", "weft_link_buffers", "the same", "Depth=8"),
    Proof("buffers_left_out", "buffers_proof", "weft_link_buffers",
          "the same where a color has no queue: a credit for each of its messages, and a flag", "Built=11"),
    Proof("buffers_sleep", "buffers_proof", "weft_link_buffers", SLEEP, "Sleep=1"),
    Proof("link", "link_proof", "weft_link_credits, weft_link_buffers",
          "credits + in flight + stored + returning == Depth; so no queue overflows and no credit is one too many"),
    Proof("link_2", "link_proof", "weft_link_credits, weft_link_buffers", "the same", "Colors=2 Depth=2"),
    Proof("link_8", "link_proof", "weft_link_credits, weft_link_buffers", "the same", "Depth=8"),
    Proof("rr_arbiter", "rr_arbiter_proof", "weft_rr_arbiter",
          "one of the requests; one that stays waits for each other at most once"),
    Proof("arbiter", "arbiter_proof", "weft_router_arbiter",
          "an output goes to one input that wants it; one that stays waits for each other at most once"),
    Proof("input", "input_proof", "weft_router_input",
          "a front message goes to each output of its route once, never without a credit, and is popped with the last; "
          "one that can go is presented within (Colors - 1) * Ports cycles", cover=20),
    Proof("input_sleep", "input_proof", "weft_router_input", SLEEP, "Sleep=1", cover=20),
    Proof("router", "router_proof", "weft_router",
          f"from input W to every output of its route: {ORDER}; all credits come home, other traffic or not; "
          "with a credit, within (Colors + 1) * Ports cycles"),
    Proof("router_north", "router_proof", "weft_router", "the same from input N", "In=0"),
    Proof("router_east", "router_proof", "weft_router", "the same from input E", "In=1"),
    Proof("router_south", "router_proof", "weft_router", "the same from input S", "In=2"),
    Proof("router_ramp", "router_proof", "weft_router", "the same from the RAMP", "In=4"),
    Proof("router_8", "router_proof", "weft_router", "the same from input W with eight colors", "Colors=8 Depth=2"),
    Proof("router_kernel", "router_proof", "weft_router", "the same from input W with the kernels' turns alone",
          "Kernel=1"),
    Proof("router_sleep", "router_proof", "weft_router", SLEEP, "Sleep=1"),
    Proof("valve", "valve_proof", "weft_valve",
          f"{ORDER}; ready while there is room; credits are conserved"),
    Proof("valve_sleep", "valve_proof", "weft_valve", SLEEP, "Sleep=1"),
    Proof("group_fanout", "group_fanout_proof", "weft_group_fanout",
          "to a valve of each of its groups once, in order, each at its own time; the stream continues with the last"),
    Proof("intake", "intake_proof", "weft_intake",
          f"to its tile, to the next cell or to both: {ORDER} on each branch; what nobody wants is flagged"),
    Proof("intake_2", "intake_proof", "weft_intake", "the same", "Depth=2"),
    Proof("intake_sleep", "intake_proof", "weft_intake", SLEEP, "Sleep=1"),
    Proof("outlet", "outlet_proof", "weft_outlet",
          f"each color to the host: {ORDER}; an offer stays; a color waits for each other at most once"),
    Proof("outlet_sleep", "outlet_proof", "weft_outlet", SLEEP, "Sleep=1"),
    Proof("command", "command_proof", "weft_pe_command",
          "a command is taken at rest, does one thing, if the tile is selected (MARK in every tile); each word goes behind the last"),
    Proof("hazard", "hazard_proof", "weft_pe_hazard",
          "in a general tile: no beat reads an element of memory that a beat in flight writes; main writes nothing that psum waits for"),
    Proof("hazard_aligned", "hazard_proof", "weft_pe_hazard", "the same where vectors begin at multiples of LANES",
          "AnyAddress=0"),
    Proof("sram", "sram_proof", "weft_pe_sram",
          "in a general tile: vectors that begin in any lane read what was last written, element by element"),
    Proof("outboxes", "outboxes_proof", "weft_pe_outboxes",
          f"in a general tile: each color's words on the way out of a PE: {ORDER}; a word waits for each other color at most once, "
          "for none without a credit, and takes no room of theirs", "Colors=3 Depth=2", cover=20),
    Proof("fma", "fma_proof", "weft_fma_lane, weft_fma_fast",
          "the lane that is built and the one that simulates: the same results in the same cycles"),
    Proof("fma_without_x", "fma_proof", "weft_fma_lane, weft_fma_fast", "the same of a lane without operand x", "HasX=0"),
    Proof("path", "path_proof", "weft_valve, weft_intake, weft_router, weft_outlet",
          f"from the host through two routers and back to the host, among other traffic: {ORDER}; all credits are conserved",
          cover=20),
    Proof("path_2", "path_proof", "weft_valve, weft_intake, weft_router, weft_outlet", "the same", "Colors=2 Depth=2"),
)
