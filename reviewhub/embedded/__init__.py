"""Set up and run the whole hub on one machine: `make setup` and `make run`.

Everything that runs before the dependencies are installed (`setup`, `options`, `progress`, `checks`) uses the standard
library alone.
"""
