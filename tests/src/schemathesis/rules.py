"""
What a check takes for a failure although it is right. Each entry says why.

The documents describe each parameter by itself. Rules that relate parameters with each other, or with what is stored, are named by
the codes of errors that an operation lists; requests that break one have the right form and are rejected all the same.
"""

import json
import re

from schemathesis.core.failures import AcceptedNegativeData
from schemathesis.core.jsonschema import make_validator
from schemathesis.core.parameters import ParameterLocation
from schemathesis.openapi.checks import (
    AllowHeaderMismatch,
    IgnoredAuth,
    MissingHeaderNotRejected,
    RejectedPositiveData,
    UnsupportedMethodResponse,
)
from schemathesis.transport.serialization import Binary

# Codes that say of a parameter by itself that it is malformed. Those of the uploads are numbers or missing, and the same for all faults.
# ILLEGAL_CHARACTERS is none of them: no schema says that a text must not have NUL.
FORM_CODES = {"INVALID_PARAMETER", "MISSING_PARAMETER", 215, 324, None}

# Rejections with these codes all the same, by what their messages say.
RULES = [
    # A list made the cursor; no other text is one.
    r"^Expected the next_cursor of this list",
    # Parameters that exclude, require or bound each other.
    r'^".+" is required (with|without|for|where) ',
    r"^Expected (at most|at least) \w+ \(",
    r" (applies|can be changed) (to|for|with|only) .*; leave it out",
    r"applies only while",
    r"; leave it out$|, or leave it out$",
    r"^Expected .+ with (objective|goal|[A-Z_]+)\b",
    r"^\w+ needs one of the placements",
    r"criteria are created in a batch only",
    r": all line items of a campaign share it$",
    r"^Expected (one or more of|one or more identifiers|at least one criterion of a primary type)",
    # Amounts are bounded by the currency of the account.
    r"^Expected \d+ to \d+ in [A-Z]{3}, got ",
    # What is stored already.
    r"^The (account|line item) (has|shows) .*already",
    r"^The line item has the same criterion",
    r"cannot be changed; create another one",
    # The time of the world.
    r"^A post is scheduled (up to|for a time later than)",
    # No schema bounds a time.
    r"^Expected a time from 1970 to 2105",
    # Lengths and characters of text as people count them, which no schema can.
    r"in weighted length",
    r"^Expected up to \d+ characters, a # in front not counted",
    r"^Expected a hashtag, ",
    # Standards with long lists, and catalogues.
    r"^Expected the ISO 639-1 code|^Expected one of AED, |^Expected the targeting_value of a country|^Expected an ISO 3166-1 alpha-2 country code",
    # An app is named by the id of one store at least.
    r"^\S+ is missing: expected \w+ or \w+, or both$",
    # Addresses and hours have many spellings.
    r"^Expected an http or https URL|is the address that .* opens: http or https$|^Expected a whole hour",
    # The shape of a tree depends on its nodes.
    r"^segments\S* is missing|^Expected (a frequency|a frequency_comparator|a lookback_window) on audiences only",
    r"^Expected one of custom_audience_id, boolean_operator|^Expected a tree of at most \d+ audiences",
    r"^Expected a whole number greater than zero, got \d{16,} for segments\.child_segments",
    r"^Expected (one of )?[A-Z_, ]+, got \".+\" for (slides|components)\[",
    # `contentEncoding` says base64, but Schemathesis sends any text; `encoding` joins lists, but it sends a part for each element.
    r"is not base64$|it has too many parts$",
    # Media: bytes that are none, or others than announced; sizes by category; categories and types of which nothing is shown.
    r"^The media are empty|[Tt]he bytes are |takes a video, but this is|takes an? [\w ]+, but this is",
    r"^The category \w+ takes up to \d+ bytes|^With this segment the upload has",
    r"^Subtitles are not taken|^Media of the type \S+ are not taken",
    r"takes no bytes$",
    r"^You have \d+ unfinished uploads",
    r"^You have no upload ",
    # The OAuth parameters are required, but not in the query, where they are documented.
    r'^"oauth_\w+" is a required parameter',
]
RULE = re.compile("|".join(RULES))


def errors_of(response):
    try:
        body = json.loads(response.content)
    except ValueError:
        return []
    if not isinstance(body, dict):
        return []
    return body.get("errors") or [error for errors in body.get("operation_errors", []) for error in errors]


def is_rule(failure, case, response):
    """Whether a failure is none, for one of the reasons here."""
    # A machine that is busy with other things can keep a body from arriving in time.
    if response.status_code == 408 and isinstance(failure, (AcceptedNegativeData, RejectedPositiveData)):
        return True
    # The forms of the pages of authentication are sent by POST. No program sends them, so that they are not documented.
    if isinstance(failure, (AllowHeaderMismatch, UnsupportedMethodResponse)) and is_page(case.operation):
        return case.method == "POST" or response.headers.get("allow") == ["GET, HEAD, POST"]
    # What only the sandbox has is no route elsewhere (reference, conventions section 11).
    if isinstance(failure, UnsupportedMethodResponse) and response.status_code == 404:
        errors = errors_of(response)
        return bool(errors) and all("only the sandbox has it" in error["message"] for error in errors)
    # Lists, numbers and booleans may be written in bodies as they are in a query, so that one text serves in all places.
    # Booleans have other spellings than those of JSON, of which a schema that generators read says nothing.
    if isinstance(failure, AcceptedNegativeData):
        return is_valid_as_text(case) or has_other_boolean(case)
    if isinstance(failure, RejectedPositiveData) and response.status_code == 400:
        errors = errors_of(response)
        return bool(errors) and all(is_rule_error(error, case) for error in errors)
    # Requests without a signature get code 215 with status 400 at the endpoints of the first port, as specified.
    if isinstance(failure, IgnoredAuth):
        return "got `400" in failure.message and 215 in codes_of(case.operation, "400")
    # The same without a header. A token is asked for with the key of an app, whose absence has code 99 and status 403.
    if isinstance(failure, MissingHeaderNotRejected):
        return response.status_code in (400, 403) and any(error.get("code") in (215, 99) for error in errors_of(response))
    return False


def is_page(operation):
    return "text/html" in operation.definition.raw["responses"].get("400", {}).get("content", {})


def is_valid_as_text(case):
    """Whether a body is right when one of its values is read as in a query."""
    alternative = case.operation.get_body_for_media_type(case.media_type) if case.media_type else None
    body = with_bytes_as_text(case.body)
    if alternative is None or not isinstance(body, (dict, list)):
        return False
    if any(info.mode.is_negative for place, info in case.meta.components.items() if place != ParameterLocation.BODY):
        return False
    validator = make_validator(alternative.optimized_schema, case.operation.schema.adapter.jsonschema_validator_cls)
    # Ids that are texts of digits may be numbers.
    if any(validator.is_valid(with_digits_as_text(body, name)) for name in names_in(body)):
        return True
    if not isinstance(body, dict):
        return False
    # Outside of JSON an empty list is not sent.
    is_json = case.media_type == "application/json"
    sent = {name: value for name, value in body.items() if is_json or value != []}
    return (not is_json and validator.is_valid(sent)) or any(
        validator.is_valid({**sent, name: reading}) for name, value in sent.items() for reading in readings(value)
    )


BOOLEANS = {"True": True, "False": False, "1": True, "0": False}


def has_other_boolean(case):
    """Whether a boolean of the query is written in another way than in JSON."""
    booleans = {
        parameter["name"]
        for parameter in case.operation.definition.raw.get("parameters", [])
        if parameter["in"] == "query" and parameter.get("schema", {}).get("type") == "boolean"
    }
    return any(name in booleans and str(value) in BOOLEANS for name, value in (case.query or {}).items())


def readings(value):
    """The ways in which a value of a query is read."""
    yield value
    if isinstance(value, str) and value in BOOLEANS:
        yield BOOLEANS[value]
    # An empty text removes, as null does.
    if value == "":
        yield None
    text = value if isinstance(value, str) else json.dumps(value)
    yield text
    yield text.split(",")
    try:
        yield json.loads(text)
    except ValueError:
        pass


def with_bytes_as_text(value):
    """A value with a text of as many characters for each piece of bytes, which the validator does not take."""
    if isinstance(value, dict):
        return {name: with_bytes_as_text(one) for name, one in value.items()}
    if isinstance(value, list):
        return [with_bytes_as_text(one) for one in value]
    bytes_of = value.data if isinstance(value, Binary) else value
    return bytes_of.decode("latin-1") if isinstance(bytes_of, bytes) else value


def names_in(value):
    if isinstance(value, dict):
        return set(value).union(*map(names_in, value.values()))
    return set().union(*map(names_in, value)) if isinstance(value, list) else set()


def with_digits_as_text(value, name, inside=False):
    """A value in which the whole numbers of members of a name are texts."""
    if isinstance(value, dict):
        return {key: with_digits_as_text(one, name, inside or key == name) for key, one in value.items()}
    if isinstance(value, list):
        return [with_digits_as_text(one, name, inside) for one in value]
    return str(value) if inside and isinstance(value, int) and not isinstance(value, bool) else value


def is_rule_error(error, case):
    if error.get("code") not in FORM_CODES or RULE.search(error["message"]) is not None:
        return True
    # A text in a list with NUL.
    if error.get("details") == "illegal characters":
        return True
    # Lists of undocumented names are sent as repeated names, of which there may be none in a form, and all lists as repeated parts.
    repeated = re.search(r'^"(.*)" is given more than once', error["message"], re.DOTALL)
    return repeated is not None and (case.media_type == "multipart/form-data" or repeated[1] not in properties_of(case))


def properties_of(case):
    body = case.operation.get_body_for_media_type(case.media_type) if case.media_type else None
    schema = body.raw_schema if body else {}
    branches = [schema, *schema.get("oneOf", []), *schema.get("anyOf", [])]
    return {name for branch in branches for name in branch.get("properties", {})}


def codes_of(operation, status):
    return operation.definition.raw["responses"].get(status, {}).get("x-error-codes", [])
