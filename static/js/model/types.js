/**
 * Shapes of the model room. The columnar answer of the API (docs/api.md) becomes a `GraphModel`; a `GroupTree` says how
 * its nodes nest; a group of open groups is a `Uint8Array` with 1 at the index of every open group.
 *
 * @typedef {object} NodeColumns
 * @property {string[]} name
 * @property {number[]} op
 * @property {number[]} target_s
 * @property {number[]} label_s
 * @property {number[]} kind
 * @property {number[]} type_s
 * @property {number[]} module
 * @property {number[]} group
 * @property {number[]} line
 * @property {number[]} chip
 * @property {number[]} backward
 * @property {number[]} call index into `calls`, -1: not decomposed with others from one call
 * @property {number[]} dtype_s
 * @property {number[]} bytes of the value, -1: no tensor, or a size that is not known
 * @property {number[]} core 1: a core ATen operator, 0: another operator, -1: no operator
 * @property {number[]} tag_s partitioner's tag
 * @property {number[]} original_s operator that became this one
 *
 * @typedef {{name: string, op: string, backward: boolean}} OriginalCall a call of the model that became several nodes: its node's
 *   name in the graph it stands in, what it called, whether these nodes compute its gradients
 *
 * @typedef {object} GraphColumns the answer of `GET /api/captures/ID/graphs/GID`
 * @property {string} id
 * @property {string} title
 * @property {string} stage
 * @property {string} target
 * @property {number} fragment
 * @property {boolean} inference
 * @property {string} parent
 * @property {string[]} strings
 * @property {NodeColumns} nodes
 * @property {string[]} kinds
 * @property {{path: string, cls: string, parent: number}[]} modules parents before children, 0 is the root
 * @property {OriginalCall[]} calls
 * @property {[string, number][]} lines
 * @property {{src: number[], dst: number[], slot_s: number[], output: number[]}} edges
 * @property {[number, string][]} bodies
 * @property {[number, number[]][]} outputs the types of the outputs of every node that has a tuple
 * @property {[number, string, string][]} returns
 * @property {Repeat[]} [repeats] none when left out
 *
 * @typedef {object} Repeat identical blocks: the k-th node of each is the k-th of all others
 * @property {boolean} backward they are the backward halves of their modules
 * @property {{module: number, nodes: number[]}[]} copies `nodes`: pairs of a first index and a count
 *
 * @typedef {{rows: readonly Repeat[], chained: boolean}} Folded `rows`: those of which one block is drawn; `chained`: chains of
 *   pointwise and view ops are groups
 *
 * @typedef {object} Edges
 * @property {number} count
 * @property {Int32Array} src node index
 * @property {Int32Array} dst node index
 * @property {Int32Array} slot index into `strings`
 * @property {Int32Array} output which output of `src` it carries, -1: the whole of several
 * @property {Int32Array} [value] where views are hidden: the node whose value arrives, a view of `src` or `src` itself
 *
 * @typedef {object} LayoutModel what layout needs of a GraphModel: no names, nothing but typed arrays and small tables
 * @property {string} stage
 * @property {number} count
 * @property {string[]} strings
 * @property {string[]} kinds
 * @property {Int32Array} target index into `strings`
 * @property {Int32Array} label index into `strings`
 * @property {Int32Array} type index into `strings`
 * @property {Uint8Array} op
 * @property {Uint8Array} kind index into `kinds`
 * @property {Int32Array} group index into `modules`
 * @property {Uint8Array} folded 1: drawn as a chip on its users, never as an item
 * @property {Uint8Array} backward
 * @property {{path: string, cls: string, parent: number}[]} modules
 * @property {Int32Array} call index into `calls`, or -1
 * @property {OriginalCall[]} calls
 * @property {Edges} edges
 * @property {{start: Uint32Array, node: Int32Array}} chips folded nodes of every node, each once
 * @property {Map<number, string[]>} bodies GIDs of the graphs a node runs
 * @property {Map<number, readonly number[]>} outputs types of the outputs of every node that has a tuple, indices into `strings`
 * @property {Map<number, readonly Returned[]>} returned what becomes of a node's value where the graph returns it
 * @property {Int32Array|null} stand node that is drawn for each node; null: every node for itself
 * @property {Folded} folds
 *
 * @typedef {object} Returned
 * @property {string} kind as in `returns`: `user_output`, `buffer_mutation`, `gradient` ...
 * @property {string} name what is written, or what a gradient is of
 * @property {number} into the node that is written or differentiated, -1: none of this graph
 *
 * @typedef {object} GroupTree index 0 is the root, which is never drawn; a group below `modules.length` is that module. A module
 *   is several groups where one would make the drawing flow in a circle: its backward half in a graph that holds both forward
 *   and backward, and each call of it that needs an earlier one through other modules. Those stand behind the modules. By
 *   original op, the nodes decomposed from one call are a group inside their module's
 * @property {"module"|"op"} by
 * @property {number} count at least `modules.length`
 * @property {Int32Array} module index into the graph's `modules`
 * @property {Uint8Array} backward 1: the backward half of its module
 * @property {Int32Array} parent group around it; -1 for the root
 * @property {Int32Array} box nearest group around it that can be drawn as a box (0: the top); -1 for the root
 * @property {Int32Array} shown the group as which it is drawn: itself, or the only group inside it; -1: nothing in it is drawn
 * @property {Int32Array} op index into the graph's `calls`: the group is what that call became; -1: it is a module
 * @property {Int32Array} call 0: the first call of its module, 1: the second group of the same module and half ...
 * @property {string[]} path unique key: `PATH`, `PATH@1` for a second call, `backward:PATH` for a backward half, `PATH/layer_norm_2`
 *   for what was decomposed from the call of that name
 * @property {string[]} title path below `box`, to draw: `0`, `attn.qkv`, `relu (call 2)`, `norm / layer_norm`
 * @property {string[]} cls class name; "original op" where the group is no module
 * @property {Int32Array} nodes drawn nodes inside, nested ones too
 * @property {Int32Array} first first drawn node inside; the node count for none
 * @property {Int32Array[]} children groups whose `box` is this one, in execution order
 * @property {Int32Array} groupOf node -> innermost group, also of folded nodes
 * @property {Int32Array} chain the first node of a chain of pointwise and view ops, where the group is one, else -1
 * @property {Int32Array} times of how many identical blocks this one is drawn
 * @property {Int32Array|null} stand node that is drawn for each node; null: every node for itself
 * @property {Map<string, number>} also paths of groups that are not drawn themselves -> the group that is drawn for them
 * @property {Uint8Array} open which groups are open by default
 */
export {};
