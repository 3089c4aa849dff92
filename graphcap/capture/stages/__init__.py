"""The routes: each runs the model once and gives its stages. One file a route."""
