"""graphcap for people with their own environment: the command `graphcap` and `graphcap.capture(model, *args)`.

cli           the command; `arguments`: its options
making/       `running`: a file captured in processes of this environment, `child` is what they run; `live`: live objects
              captured in this process; `gathering`: what either says, put together into a capture file; `progress`: how far
              it is, on the terminal
captured      the object a person holds: its graphs, how it shows itself, saves and pushes
viewer        the web app around one capture, on this machine
pushing       a capture sent to a server
refusals      what a server refuses with, as an error

The only room that may import `capture`, and only where it is needed: a person's own process is no server.
"""
