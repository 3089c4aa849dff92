"""Child processes of a capture: forked, watched, stopped at their limit; their messages are relayed one by one."""
