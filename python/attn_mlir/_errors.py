"""The exceptions of the package."""


class Error(Exception):
    """Raised for something that could not be compiled or launched; the text says why.

    `status` is the name of the C interface's status, such as "UNSUPPORTED" for a combination that
    the compiler does not have, "NO_DRIVER" or "OUT_OF_MEMORY".
    """

    def __init__(self, message: str, status: str = "UNSUPPORTED") -> None:
        super().__init__(message)
        self.status = status


class ArgumentError(Error, ValueError):
    """Raised for an argument that cannot be accepted. The text of the error names the argument."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "INVALID_ARGUMENT")
