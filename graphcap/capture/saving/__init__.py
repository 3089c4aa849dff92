"""The way out of torch: exported programs as files."""
