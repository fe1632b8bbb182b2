"""requests-oauthlib, spoken to in JSON lines. foreign-client.ts says what is asked and answered."""

import json
import os
import sys

# The server under test is reached without TLS.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

import requests_oauthlib
from oauthlib.oauth2 import BackendApplicationClient
from requests_oauthlib import OAuth1Session, OAuth2Session


def session(call, **more):
    return OAuth1Session(call["consumer_key"], client_secret=call["consumer_secret"], **more)


def send(call):
    signed = session(call, resource_owner_key=call["token"], resource_owner_secret=call["token_secret"])
    body = {"data": call["form"]} if "form" in call else {}
    if "json" in call:
        body = {"data": call["json"].encode(), "headers": {"Content-Type": "application/json"}}
    answer = signed.request(call["method"], call["url"], **body)
    return {"status": answer.status_code, "body": answer.text}


def request_token(call):
    return session(call, callback_uri=call["callback"]).fetch_request_token(call["url"])


def authorization_url(call):
    return {"url": session(call).authorization_url(call["url"], request_token=call["token"])}


def access_token(call):
    signed = session(
        call,
        resource_owner_key=call["token"],
        resource_owner_secret=call["token_secret"],
        verifier=call["verifier"],
    )
    return signed.fetch_access_token(call["url"])


def bearer_token(call):
    application = OAuth2Session(client=BackendApplicationClient(client_id=call["consumer_key"]))
    return application.fetch_token(
        call["url"], client_id=call["consumer_key"], client_secret=call["consumer_secret"]
    )


answers = {
    "send": send,
    "request_token": request_token,
    "authorization_url": authorization_url,
    "access_token": access_token,
    "bearer_token": bearer_token,
}

print(json.dumps({"ready": f"requests-oauthlib {requests_oauthlib.__version__}"}), flush=True)
for line in sys.stdin:
    call = json.loads(line)
    try:
        answer = answers[call["do"]](call)
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
