"""What the drivers in Python have in common: each step prints a line of JSON, and what a client offers is listed by itself."""

import inspect
import json
import os
import sys

ENVIRONMENT = json.loads(os.environ["PUBLISHED_CLIENTS"])
"""What the test hands over: credentials, directories, ids of the demonstration."""


def step(*names):
    """Runs a function and prints its result, or its error, under the names of what it calls of the client."""

    def run(function):
        try:
            value = function()
        except Exception as error:
            emit({"step": " ".join(names), "error": described(error)})
            return None
        emit({"step": " ".join(names), "value": value})
        return value

    return run


def emit(line):
    print(json.dumps(line, default=str), flush=True)


def described(error):
    """The kind of an error and what it says."""
    kind = type(error).__name__
    if hasattr(error, "code") and hasattr(error, "details"):
        return {"kind": kind, "code": error.code, "errors": [told(each) for each in error.details or []]}
    if getattr(error, "response", None) is not None:
        return {"kind": kind, "code": error.response.status_code, "errors": getattr(error, "api_messages", [])}
    return {"kind": kind, "message": str(error)}


def told(error):
    return {name: error[name] for name in ("code", "parameter", "message") if name in error}


def offer(names):
    """Prints what a client offers, so that nothing of it is forgotten."""
    emit({"offers": sorted(names)})


def methods_of(kind):
    """The public methods of a class, with what it inherits."""
    return [name for name, _ in inspect.getmembers(kind, callable) if not name.startswith("_")]


def media(name):
    """A file to upload."""
    with open(os.path.join(ENVIRONMENT["media"], name), "rb") as file:
        return file.read()


def finish():
    """Says that the driver came to its end, and is not cut off."""
    emit({"done": True})
    sys.exit(0)
