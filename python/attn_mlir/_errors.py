"""The exceptions of the package. They have no `__init__`, since torch.compile would then not show
their texts where code that it traces raises them (seen in torch 2.10 and 2.11)."""


class Error(Exception):
    """Raised for something that could not be compiled or launched; the text says why. The arguments
    are the text and the status.

    `status` is the name of the C interface's status, such as "UNSUPPORTED" (the default) for a
    combination that the compiler does not have, "NO_DRIVER" or "OUT_OF_MEMORY".
    """

    @property
    def status(self) -> str:
        return str(self.args[1]) if len(self.args) > 1 else "UNSUPPORTED"

    def __str__(self) -> str:
        return str(self.args[0])


class ArgumentError(Error, ValueError):
    """Raised for an argument that cannot be accepted. The text of the error names the argument."""

    status = "INVALID_ARGUMENT"
