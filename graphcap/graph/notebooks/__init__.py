"""What a notebook is once its code is one file of Python: the cells that its lines are of."""
