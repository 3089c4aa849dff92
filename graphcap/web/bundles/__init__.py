"""Joins the browser's modules into one file per entry when the server starts: a page asks for two files, not for 250."""
