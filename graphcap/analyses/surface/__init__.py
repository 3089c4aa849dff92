"""The op surface: which operators a target uses at each stage, which a backend must know, and which became which."""
