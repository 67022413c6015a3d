"""`python -m hetjit cache info|list|explain|clear|prune`: the cache on disk, from a shell."""

import argparse
import json
import os
import sys
import time

from hetjit import _core
from hetjit.device import cache


def main(arguments):
    options = _parser().parse_args(arguments)
    try:
        if fault := _fault():
            print(f"cache: nothing is read here: {fault}", file=sys.stderr)
        return options.run(options) or int(bool(fault))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2


def _fault():
    path = _core.cache_settings()["path"]
    return _core.cache_fault(path) if path else ""


def _parser():
    parser = argparse.ArgumentParser(prog="python -m hetjit cache", description="The cache of compiled kernels on disk.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name, run, help, *given):
        one = commands.add_parser(name, help=help, description=help)
        one.set_defaults(run=run)
        for argument, options in given:
            one.add_argument(argument, **options)

    kernel = ("kernel", {"nargs": "?", "help": "only kernels whose name has this in it"})
    as_json = ("--json", {"action": "store_true", "help": "the same as JSON"})
    command("info", _info, "where it is, how it is used, how full it is", as_json)
    command("list", _list, "the kernels that are kept, the one used last first", kernel, as_json)
    command("explain", _explain, "what each was made of, and what differs from the one before of that name", kernel)
    command("clear", _clear, "remove all that is kept")
    command("prune", _prune, "remove what was used least lately",
            ("size", {"nargs": "?", "help": "until so much is left, as 500M; default: HETJIT_CACHE_SIZE, else 1G"}))
    return parser


def _info(options):
    found = cache.info()
    if options.json:
        print(json.dumps(found))
        return
    use = "on" if found["writes"] else "only read" if found["reads"] else "off"
    print(f"folder  {found['path'] or 'none: HOME is not set'}")
    print(f"use     {use}")
    print(f"kept    {found['files']} kernels, {_size(found['bytes'])} of {_size(found['most_bytes'])}")
    if found["shared"]:
        print(f"shared  {found['shared']}, only read")


def _list(options):
    if options.json:
        print(json.dumps([_facts(entry) for entry in _chosen(options)]))
        return
    for entry in _chosen(options):
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.used))
        wrong = f"  not used: {entry.fault}" if entry.fault else ""
        print(f"{entry.name[:8]}  {when}  {_size(entry.bytes):>9}  {entry.first('kernel')}{entry.first('signature')}  "
              f"{entry.first('target')}  {os.path.basename(entry.first('place'))}{'  shared' if entry.shared else ''}{wrong}")


def _facts(entry):
    return {"name": entry.name, **{kind: entry.first(kind) for kind in ("kernel", "signature", "target", "place")}, "bytes": entry.bytes,
            "used": entry.used, "shared": entry.shared, "fault": entry.fault}


def _explain(options):
    """The older ones first, so that each is compared with the one above it."""
    newest = {}
    for entry in reversed(_chosen(options)):
        kernel = entry.first("kernel")
        print(f"{entry.name[:8]}  {kernel}")
        if entry.fault:
            print(f"  not used: {entry.fault}")
        elif kernel not in newest:
            for kind, text in entry.made_of[1:]:
                print(f"  {kind:9} {_short(text)}")
        else:
            _tell_difference(newest[kernel], entry)
        if not entry.fault:
            newest[kernel] = entry


def _tell_difference(before, now):
    print(f"  made beside {before.name[:8]} because of")
    gone, new = ([item for item in one.made_of if item not in other.made_of and item[0] != "place"]
                 for one, other in ((before, now), (now, before)))
    for kind, text in gone:
        print(f"  - {kind:9} {_short(text)}")
    for kind, text in new:
        print(f"  + {kind:9} {_short(text)}")
    if not gone and not new:
        print("  its place: a message that it may give cannot be moved to another line")


def _clear(options):
    print(f"removed {cache.clear()} kernels")


def _prune(options):
    print(f"removed {cache.prune(options.size)} kernels")


def _chosen(options):
    return [entry for entry in cache.entries() if not options.kernel or options.kernel in entry.first("kernel")]


def _short(text):
    return text if len(text) <= 100 else f"{text[:97]}..."


def _size(count):
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if count < 1024 or unit == "GiB":
            return f"{count} bytes" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1024
