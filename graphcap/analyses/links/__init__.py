"""Which nodes of two graphs of a target belong together, on what evidence: pure functions on graphs. The door is `linked`.

A link is *exact* where torch recorded it, and names its evidence:

- `from_node`: torch wrote down which node of the earlier graph a node was made from;
- `original_aten`: torch wrote down which operator a node was decomposed from, and only one node of the earlier graph fits;
- `name`: the partitioner keeps the joint graph's names; inputs, parameters and buffers keep their dotted names;
- `position`: the inputs of the bodies that two linked ops run, in their order;
- `body`: a call in a body that has no link of its own belongs to what the op is linked with that runs the body;
- `seq_nr`: autograd numbers what it differentiates, and the number stands on both sides.

It is *line* where two nodes come from the same line of the person's code in the same module. Everything else is unknown.
"""
