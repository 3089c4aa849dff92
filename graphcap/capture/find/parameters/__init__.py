"""What the annotations of parameters say that a model is given or made with."""
