"""What is sent to the server, and whether it is taken: submissions, to be captured or looked at, and finished captures."""
