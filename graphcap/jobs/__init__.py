"""Carries a submission through the pipeline. `pipeline` names the steps; `runner` is the queue; `submit` is the way in."""
