"""
Hooks of Schemathesis: they authenticate its requests, lead them to data that exist, keep the number of cases within the budget,
and count what was reached. `run.ts` says how they are set up, and describes the prepared server in a file.
"""

import atexit
import collections
import hashlib
import json
import os

import schemathesis
from hypothesis import strategies as st
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import CoveragePhaseData, TestPhase

from rules import is_rule
from signing import authentication

with open(os.environ["BROADSIDE_FUZZ_SERVER"], encoding="utf-8") as file:
    SERVER = json.load(file)
OPERATIONS = SERVER["operations"]
SEED = os.environ["BROADSIDE_FUZZ_SEED"]
THINNING = int(os.environ["BROADSIDE_FUZZ_THINNING"])


def id_of(operation):
    return operation.definition.raw["operationId"]


# Authentication

used = collections.Counter()


@schemathesis.auth(refresh_interval=None)
class Credentials:
    """Those of an operation in turn, since some requests use theirs up."""

    def get(self, case, context):
        name = id_of(context.operation)
        credentials = OPERATIONS[name]["credentials"]
        if not credentials:
            return None
        used[name] += 1
        return credentials[(used[name] - 1) % len(credentials)]

    def set(self, case, credential, context):
        case._auth = authentication(credential, SERVER["now"])


# Data that exist


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Gives the examples of the document what the prepared server has."""
    for item in raw_schema["paths"].values():
        for operation in item.values():
            known = OPERATIONS[operation["operationId"]]
            for parameter in operation.get("parameters", []):
                values = known[parameter["in"]]
                parameter.pop("example", None)
                if parameter["name"] in values:
                    parameter["example"] = values[parameter["name"]]
            for content in operation.get("requestBody", {}).get("content", {}).values():
                content.pop("examples", None)
                content["example"] = known["body"]


@schemathesis.hook
def flatmap_case(context, case):
    """Leads most of the generated cases to data that exist, in the places that are not malformed on purpose."""
    return st.randoms().map(lambda random: led(case, random))


def led(case, random):
    meta = case.meta
    if meta is None or meta.phase.name != TestPhase.FUZZING or random.random() < 0.2:
        return case
    known = OPERATIONS[id_of(case.operation)]

    def is_free(location):
        component = meta.components.get(location)
        return component is None or component.mode.is_positive

    if is_free(ParameterLocation.PATH):
        case.path_parameters = dict(known["path"])
    if is_free(ParameterLocation.QUERY):
        case.query = merged(known["query"], dict(case.query or {}), random)
    if is_free(ParameterLocation.BODY) and isinstance(case.body, dict) and isinstance(known["body"], dict):
        case.body = merged(known["body"], case.body, random)
    return case


def merged(known, generated, random):
    """The known values with some of the generated ones. Ids stay, since others do not exist."""
    chosen = [name for name in sorted(generated) if random.random() < 0.5 and not (name in known and is_id(name))]
    return {**known, **{name: generated[name] for name in chosen}}


def is_id(name):
    return name == "ids" or name.endswith(("_id", "_ids", "_key", "_keys"))


# Budget


@schemathesis.hook
def filter_case(context, case):
    """Sends one in so many cases of the coverage phase. The seed decides which."""
    meta = case.meta
    if THINNING == 1 or meta is None or not isinstance(meta.phase.data, CoveragePhaseData):
        return True
    data = meta.phase.data
    key = "\n".join(
        str(part)
        for part in (SEED, case.operation.label, case.method, data.scenario, data.parameter, data.description, case.media_type)
    )
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:4], "big") % THINNING == 0


# Results

counts = collections.defaultdict(collections.Counter)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    return not is_rule(failure, case, response)


@schemathesis.hook
def after_call(context, case, response):
    counts[id_of(case.operation)][str(response.status_code)] += 1


@atexit.register
def write_counts():
    with open(os.environ["BROADSIDE_FUZZ_COUNTS"], "w", encoding="utf-8") as file:
        json.dump(counts, file)
