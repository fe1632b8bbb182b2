"""Authlib, spoken to in JSON lines. foreign-client.ts says what is asked and answered."""

import json
import os
import sys

# The server under test is reached without TLS.
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

import authlib
from authlib.integrations.requests_client import OAuth1Session


def send(call):
    signed = OAuth1Session(
        call["consumer_key"], call["consumer_secret"], token=call["token"], token_secret=call["token_secret"]
    )
    body = {"data": call["form"]} if "form" in call else {}
    if "json" in call:
        body = {"data": call["json"].encode(), "headers": {"Content-Type": "application/json"}}
    # The library refuses to sign a raw apostrophe in a query.
    answer = signed.request(call["method"], call["url"].replace("'", "%27"), **body)
    return {"status": answer.status_code, "body": answer.text}


print(json.dumps({"ready": f"Authlib {authlib.__version__}"}), flush=True)
for line in sys.stdin:
    call = json.loads(line)
    try:
        answer = send(call)
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
