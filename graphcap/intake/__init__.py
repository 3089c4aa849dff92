"""From an upload to a checked `Submission`. No torch, nothing is run. The door is `graphcap.intake.accept`."""
