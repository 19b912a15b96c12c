"""The modules that make-jax.py writes: MODULES has a function and the arguments' shapes and types
by the name of each module's file."""

MODULES = {}


def module(*arguments, dtype="float32"):
    """Adds the decorated function to MODULES. An argument is given by its shape, or by a pair of a
    shape and a type."""
    def add(function):
        specs = [a if isinstance(a[0], tuple) else (a, dtype) for a in arguments]
        MODULES["jax-" + function.__name__.replace("_", "-")] = (function, specs)
        return function
    return add
