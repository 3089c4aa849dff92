"""The only room that imports torch. Started as a process (`python -m graphcap.capture`), imported by nobody."""
