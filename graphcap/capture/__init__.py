"""The only room that imports torch. Loaded by a zygote (`graphcap.capture.warm`), imported by nobody.

warm               what a zygote loads: torch, warmed; and what its forks run
worker             the processes of a capture
process/           forking, watching and stopping a child; relaying what it says; sending stages
find/              importing a submission (code/), opening what is no Python (opening/, pickles/) and weights (weights/); the
                   rules that find targets; what a script does itself (watching/); the *inputs* field
target/            one loaded target: its arguments, the names of its tensors
routes             the table: route -> function
stages/            one file for each route
eager/             the eager route's parts
compile/           the parts that the routes dynamo and aot share
record             an FX graph as graphs of the document
fx/                one file for each thing a node carries: arguments, values, frames, modules, origin, text
failures           any exception as a Failure
"""
