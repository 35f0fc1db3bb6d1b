"""Sums of linear layers and the residual stream, which become the layers' `add`, and the order that this needs."""

import heapq

from .values import Part


def readers_of(operations):
    """For each part, the operations that read it."""
    readers = {}
    for operation in operations:
        for part in operation.inputs + ([operation.add] if operation.add else []):
            readers.setdefault(part, []).append(operation)
    return readers


def fold(operations):
    """Operations without sums, each linear layer with the part of the stream that it adds."""
    readers = readers_of(operations)
    index = {operation: n for n, operation in enumerate(operations)}

    def only_for_a_sum(operation):
        users = readers.get(operation.out.whole, [])
        return len(users) == 1 and users[0].kind == "sum"

    def terms_of(part):
        maker = part.source.maker
        if maker.kind == "sum" and only_for_a_sum(maker):
            return [term for one in maker.inputs for term in terms_of(one)]
        return [part]

    stream = {operation.out.whole for operation in operations if operation.kind in ("embed", "sum")}
    for operation in operations:
        if operation.kind == "dropout" and operation.inputs[0] in stream:
            stream.add(operation.out.whole)
            operation.stream = True
        if operation.kind == "sum" and not only_for_a_sum(operation):
            terms = [term for one in operation.inputs for term in terms_of(one)]
            base = [one for one in terms if one in stream] or [one for one in terms if _continues(one, stream)]
            layers = [one for one in terms if one not in base]
            _check(operation, base, layers, readers)
            _chain(operation, base[0], sorted(layers, key=lambda one: index[one.source.maker]))
            _continue(base[0].source.maker)
    _continue_streams(operations, readers)
    return ordered([one for one in operations if one.kind != "sum"])


def _continues(part, stream):
    """A norm of the stream, perhaps with a dropout behind it, to whose output a linear layer adds."""
    maker = part.source.maker
    while maker.kind == "dropout":
        maker = maker.inputs[0].source.maker
    return maker.kind == "norm" and maker.inputs[0] in stream


def _continue(maker):
    """Lets the output of a norm, or of dropouts behind it, continue the stream."""
    while maker.kind == "dropout" and not maker.stream and maker.add is None:
        maker.stream = True
        maker = maker.inputs[0].source.maker
    maker.stream = maker.stream or maker.kind == "norm"


def _continue_streams(operations, readers):
    """Where some norms continue the stream, all do that alone read a sum: the last one, too."""
    norms = [one for one in operations if one.kind == "norm"]
    if any(one.stream for one in norms):
        for one in norms:
            one.stream = one.stream or len(readers[one.inputs[0]]) == 1


def _check(operation, base, layers, readers):
    refuse = operation.place.refuse
    for one in layers:
        maker = one.source.maker
        if maker.kind == "dropout" and maker.inputs[0].source.maker.kind == "linear":
            dropped = maker.inputs[0]
            if len(dropped.features) == dropped.source.features and len(readers[dropped]) == 1:
                dropped.role = "hidden"
                continue
        if maker.kind != "linear":
            made = {"norm": "a norm", "attention": "attention"}.get(maker.kind, f"{maker.kind}")
            raise refuse(
                f"adds the output of {made} ({maker.place.subject})",
                "add the output of a linear layer to the residual stream; put norms at the start of a branch",
            )
        if len(one.features) != maker.out.features or len(readers[one]) > 1:
            raise refuse(
                f"adds a part of the output of {maker.place.subject}, or one that is also read elsewhere",
                "add the whole output of a linear layer, and read the sum",
            )
    if len(base) != 1:
        raise refuse(
            f"adds {len(base)} values of the residual stream" if base else "adds no value of the residual stream",
            "add the output of linear layers to the sum of the embedding and of earlier layers",
        )


def _chain(operation, stream, layers):
    for n, part in enumerate(layers):
        layer = part.source.maker
        layer.add = stream
        if layer.kind == "dropout":  # the linear layer computes in the order of the sum
            layer.inputs[0].features = layer.inputs[0].features[part.features]
        else:
            layer.columns = part.features
        stream = operation.out.whole if n == len(layers) - 1 else Part(operation.out, operation.out.whole.features)
        layer.out = stream


def ordered(operations):
    """Operations in the given order as far as possible: an addition follows all that read the value before it."""
    index = {operation: n for n, operation in enumerate(operations)}
    makers = {part: operation for operation in operations for part in operation.outputs}
    before = {operation: set() for operation in operations}
    readers = readers_of(operations)
    for operation in operations:
        for part in operation.inputs + ([operation.add] if operation.add else []):
            if part in makers:
                before[operation].add(makers[part])
        if operation.add:
            before[operation] |= {one for one in readers[operation.add] if one is not operation}
        if operation.kind == "rotary":
            for part in operation.inputs:
                for reader in readers[part]:
                    if index[reader] > index[operation]:
                        before[reader].add(operation)
    after = {operation: [other for other in operations if operation in before[other]] for operation in operations}
    left = {operation: len(needs) for operation, needs in before.items()}
    ready = [index[operation] for operation in operations if not left[operation]]
    heapq.heapify(ready)
    result = []
    while ready:
        operation = operations[heapq.heappop(ready)]
        result.append(operation)
        for other in after[operation]:
            left[other] -= 1
            if not left[other]:
                heapq.heappush(ready, index[other])
    if len(result) < len(operations):
        stuck = next(one for one in operations if left[one] and one.add)
        raise stuck.place.refuse("a value of the residual stream is read after the addition to it", "read the sum")
    return result


def is_stream(operation):
    return operation.kind == "embed" or operation.add is not None or operation.stream
