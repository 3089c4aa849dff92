"""What is sent to the server: a submission to be captured or looked at, a finished capture to be kept."""
