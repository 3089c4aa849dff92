"""One HTML file with the whole viewer and a capture inside: it opens from disk, without a server and without a network."""
