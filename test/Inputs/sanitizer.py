"""The environment variables for programs that were built with sanitizers.

The checks of containers and arenas are disabled, since LLVM is not instrumented, and those that it
shares with this project would be reported. Leaks are not reported, since LLVM's command line and
passes leak a little at exit.
"""

ENVIRONMENT = {
    "ASAN_OPTIONS": ":".join([
        "detect_container_overflow=0", "allow_user_poisoning=0", "detect_leaks=0",
        "detect_odr_violation=0", "detect_stack_use_after_return=0",
        "allocator_may_return_null=1"]),
    "UBSAN_OPTIONS": "print_stacktrace=1",
}
