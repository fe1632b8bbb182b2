"""Cases of the rules that a run does not meet each time. `schemathesis.test.ts` runs them."""

import types
import unittest

import jsonschema_rs
from schemathesis.transport.serialization import Binary

from rules import is_valid_as_text

SCHEMA = {
    "type": "object",
    "properties": {"media": {"type": "string", "minLength": 2}, "segment_index": {"type": "integer"}},
    "required": ["media"],
    "additionalProperties": False,
}


def case_of(body):
    adapter = types.SimpleNamespace(jsonschema_validator_cls=jsonschema_rs.Draft202012Validator)
    operation = types.SimpleNamespace(
        get_body_for_media_type=lambda media_type: types.SimpleNamespace(optimized_schema=SCHEMA),
        schema=types.SimpleNamespace(adapter=adapter),
    )
    meta = types.SimpleNamespace(components={})
    return types.SimpleNamespace(operation=operation, media_type="multipart/form-data", body=body, meta=meta)


class BodiesWithBytes(unittest.TestCase):
    def test_bytes_are_valid_where_a_text_is(self):
        self.assertTrue(is_valid_as_text(case_of({"media": Binary(b"\x00\xff")})))
        self.assertTrue(is_valid_as_text(case_of({"media": b"\x00\xff", "segment_index": "1"})))

    def test_bytes_do_not_make_a_malformed_body_valid(self):
        self.assertFalse(is_valid_as_text(case_of({"media": Binary(b"\x00\xff"), "segment_index": "first"})))
        self.assertFalse(is_valid_as_text(case_of({"media": Binary(b"\x00")})))
        self.assertFalse(is_valid_as_text(case_of({"media": Binary(b"\x00\xff"), "segment_index": Binary(b"\xff")})))
        self.assertFalse(is_valid_as_text(case_of({"other": Binary(b"\x00\xff")})))


if __name__ == "__main__":
    unittest.main()
