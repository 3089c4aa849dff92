// The API's answers (docs/api.md) as types that every module may name without importing anything.
declare namespace Api {
  type Status = "queued" | "running" | "done" | "failed" | "cancelled";
  type StageStatus = "queued" | "running" | "done" | "failed" | "skipped";
  interface Frame { file: string; line: number; function: string; code: string; user: boolean; place: string }
  interface Failure { type: string; message: string; how: string; frame: Frame | null; hints: string[]; trace: string }
  interface GraphHead {
    id: string; title: string; fragment: number; nodes: number; edges: number; inference: boolean; parent: string;
    variant: string; recompile: number; replay: Replay | null; program_bytes: number;
  }
  interface Replay {
    status: "compared" | "not-compared"; outputs: number; gradients: number; max_abs: number | null; max_rel: number | null;
    close: boolean; worst: string; reason: string;
  }
  interface Stage {
    id: string; status: StageStatus; seconds: number | null; reason: string; notes: string[]; error: Failure | null;
    failures: Failure[]; breaks: number; guards: number; graphs: GraphHead[];
    symbols: Symbol[]; constraints: { text: string; frame: Frame | null }[];
  }
  interface Symbol {
    name: string; sources: string[]; lower: string; upper: string; example: string; dim: string; value: string; reason: string;
    frame: Frame | null;
  }
  interface Target { id: string; title: string; rule: string; frame: Frame | null; stages: Stage[] }
  interface Capture {
    id: string; status: Status; queue_position: number | null; created: string; seconds: number | null;
    source: { files: { name: string; size: number; cells: Cell[] }[]; kind: string }; options: { [name: string]: any }; torch: string;
    failures: Failure[]; log_bytes: number; stages: Stage[]; targets: Target[];
  }
  interface Cell { number: number; line: number }
  interface SourceFile { name: string; size: number; text: string | null; cells: Cell[] }
  interface Break {
    target: string; stage: string; reason: string; explanation: string; hints: string[]; kind: string; frames: Frame[];
    before: number | null; after: number | null; text: string;
  }
  interface Guard {
    target: string; fragment: number; recompile: number; kind: string; source: string; code: string[]; frame: Frame | null;
    failed: string[];
  }
  interface Recompile { target: string; fragment: number; recompile: number; reason: string; failed: string[] }
  interface Compilation {
    target: string; id: string; function: string; frame: Frame | null; fragment: number | null; recompile: number;
    seconds: number | null; phases: [string, number][]; nodes: number | null; guards: number | null; cache: string; failure: string;
  }
  interface GraphText { text: string; lines: number[]; readable: string; readable_lines: number[]; code: string }
  interface Example { id: string; title: string; text: string; code: string; inputs: string }
  interface Parameter {
    name: string; kind: "positional" | "usual" | "keyword" | "rest" | "words"; annotation: string; default: string; required: boolean;
  }
  interface ModelClass { name: string; line: number; constructor: Parameter[]; forward: Parameter[] }
  interface ModelFunction { name: string; line: number; parameters: Parameter[] }
  interface Guess { name: string; text: string; why: string; told: boolean }
  interface Made { name: string; arguments: { name: string; text: string }[]; called: boolean }
  interface Unreadable { field: string; message: string; offset: number; line: number }
  interface Look {
    kind: string; entry: string; files: string[]; entries: string[]; rule: string; rule_text: string;
    needs: ("entry" | "construct" | "inputs")[]; classes: ModelClass[]; outermost: string[]; functions: ModelFunction[];
    construct: Made | null; guesses: Guess[]; guessed: string; problems: Unreadable[];
  }
  interface OutputValue {
    type: string; text?: string; dtype?: string; shape?: (number | string)[]; stride?: (number | string)[] | null;
    device?: string; layout?: string; requires_grad?: boolean; bytes?: number | null;
  }
  interface Statistics {
    count: number; min: number | null; max: number | null; mean: number | null; std: number | null; zeros: number; nan: number;
    infinite: number; magnitudes: boolean; reason: string;
  }
  interface Argument { name: string; text: string; refs: string[] }
  interface NodeDetails {
    name: string; index: number; op: string; target: string; label: string; kind: string; type: string; schema: string; doc: string;
    args: Argument[]; outputs: OutputValue[]; modules: { path: string; cls: string }[]; frames: Frame[];
    origin: { [key: string]: any } | null;
    placeholder: { kind: string; name: string; desc: string; persistent: boolean | null; statistics: Statistics | null } | null;
    returns: { kind: string; name: string; desc: string; node: string | null }[];
    bodies: string[]; tags: string[]; users: { name: string; slot: string }[];
  }
  interface SavedTensor {
    name: string; node: number; source: number; type: string; dtype: string | null; shape: (number | string)[] | null;
    bytes: number | null; storage: number;
  }
  interface Traced {
    graph: string; node: string; how: string; to: string; found: { graph: string; nodes: number[] }[]; path: string; starts: number[];
    gradients: { name: string; node: number }[]; saved: SavedTensor[]; bytes: number; reason: string;
  }
  interface ChartHead { name: string; title: string; text: string }
  type Picked = [gid: string, nodes: number[]][];
  interface Figure { data: { [key: string]: any }[]; layout: { [key: string]: any } }
  interface Operator { op: string; label: string; kind: string; count: number; core: boolean | null; why: string }
  interface StageOperators {
    id: string; graphs: string[]; distinct: number; calls: number; core: number; other: number; operators: Operator[];
  }
  interface Became { op: string; count: number; gone: number; inlined: number; into: { op: string; count: number }[] }
  interface TargetOperators { id: string; stages: StageOperators[]; became: Became[] }
  type Fixes = "value" | "sizes" | "length" | "";
  interface StoryLine { line: number; text: string; nodes: number; mark: "stops" | "calls" | "defines" | "" }
  interface Excerpt { file: string; function: string; lines: StoryLine[] }
  interface StoryOp { node: string; label: string; kind: string }
  interface Special { source: string; says: string; fixes: Fixes; failed: string[] }
  interface Recompiled { graph: string; recompile: number; nodes: number; reason: string; failed: Special[] }
  interface StoryFragment {
    step: "fragment"; fragment: number; graph: string; nodes: number; calls: number; first: StoryOp[]; last: StoryOp[];
    left_out: number; drawn: { stage: string; graph: string; nodes: number }[]; parts: Excerpt[]; guards: number; fixed: number;
    special: Special[]; recompiles: Recompiled[];
  }
  interface Stop {
    number: number; kind: string; reason: string; explanation: string; hints: string[]; frames: Frame[]; text: string;
  }
  interface StoryPython {
    step: "python"; before: number | null; after: number | null; how: "break" | "call" | "return" | "next"; function: string;
    stops: Stop[]; parts: Excerpt[]; again: number[];
  }
  interface Story {
    target: string; title: string; status: StageStatus; reason: string; notes: string[]; steps: (StoryFragment | StoryPython)[];
    second: StoryFragment[];
  }
  interface GuardPlace { parent: number; text: string; source: string; checks: number; fixed: number; failed: number }
  interface GuardCheck {
    place: number; kind: string; word: string; says: string; fixes: Fixes; code: string[]; frame: Frame | null; failed: string[];
  }
  interface GuardTree { graph: string; places: GuardPlace[]; checks: GuardCheck[]; fixed: number; failed: number }
}
