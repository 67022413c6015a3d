"""What a decorator's options say of a compilation."""

from hetjit.device import limits


def of(options):
    """Keywords of _core.Kernel, show(), compile() and export()."""
    return {"contract": options.get("contract", True), "fastmath": options.get("fastmath", False), "portable_math": options.get("portable_math", False),
            "name": options.get("name"), "check": options.get("check", ""), "limits": limits.of("kernel", options), "debug": bool(options.get("debug"))}
