"""The stages, one file for each route that makes them. The table of routes is `graphcap.capture.routes`."""
