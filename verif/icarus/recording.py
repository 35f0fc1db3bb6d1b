"""Reads what weft-icarus-record has written: the ports of chosen instances, in every cycle."""
import re
from dataclasses import dataclass, field


@dataclass
class Port:
    name: str
    width: int                                # width of the whole port
    codes: list = field(default_factory=list)  # VCD's names of its parts, the most significant first


@dataclass
class Instance:
    """Recording of a module: `values[name]` is a list, an integer for each cycle."""
    scope: str
    ports: dict = field(default_factory=dict)       # by name
    parameters: dict = field(default_factory=dict)  # by name
    values: dict = field(default_factory=dict)


def _declarations(lines, wanted):
    """Instances by scope, with all that is declared there, and the width of each code."""
    scopes, found, widths = [], {s: {} for s in wanted}, {}
    for line in lines:
        words = line.split()
        if words[:1] == ["$scope"]:
            scopes.append(words[2])
        elif words[:1] == ["$upscope"]:
            scopes.pop()
        elif words[:1] == ["$var"]:
            widths[words[3]] = int(words[2])
            here = found.get(".".join(scopes))
            if here is not None:
                name = re.match(r"(\w+)(?:\[(\d+)\])?$", words[4])
                here.setdefault(name[1], []).append((int(name[2] or 0), words[3]))
        elif words[:1] == ["$enddefinitions"]:
            return found, widths
    raise ValueError("not a VCD")


def read(file, wanted):
    """{scope: Instance} of the scopes in `wanted`. Ports are what ends in _i or _o; element 0 of an array is its top."""
    with open(file) as lines:
        found, widths = _declarations(lines, wanted)
        instances, users = {}, {}  # users: who looks at a code
        for scope, names in found.items():
            if not names:
                raise ValueError(f"{file} has no {scope}")
            instances[scope] = one = Instance(scope)
            for name, parts in names.items():
                codes = [code for _, code in sorted(parts)]
                port = Port(name, sum(widths[c] for c in codes), codes)
                if name.endswith(("_i", "_o")):
                    one.ports[name], one.values[name] = port, []
                else:
                    one.parameters[name] = port
                for code in codes:
                    users.setdefault(code, []).append((one, name))
        now, changed, first = {}, set(), True

        def end_cycle():
            nonlocal first
            for one in instances.values():
                if first:
                    one.parameters = {n: value(p) for n, p in one.parameters.items() if n[0].isupper()}
                for name, history in one.values.items():
                    again = history and (id(one), name) not in changed
                    history.append(history[-1] if again else value(one.ports[name]))
            changed.clear()
            first = False

        def value(port):
            number = 0
            for code in port.codes:
                number = number << widths[code] | now[code]
            return number

        for line in lines:
            if line[0] == "#":
                if now:
                    end_cycle()
                continue
            bits, code = line.split() if line[0] == "b" else (line[0], line[1:].strip())
            if code in users:
                now[code] = int(bits.lstrip("b"), 2)
                changed.update((id(one), name) for one, name in users[code])
        end_cycle()
    return instances
