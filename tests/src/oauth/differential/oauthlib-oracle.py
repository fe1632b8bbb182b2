"""Signs requests with Debian's python3-oauthlib: JSON lines in, JSON lines out.

In:  method, url, body, contentType (or null), place ("header", "query", "form"), consumerKey, consumerSecret, token,
     tokenSecret, callback, verifier (or null), nonce, timestamp, signatureMethod.
Out: url, authorization, contentType, body as the client would send them, and baseString.
"""

import json
import sys

from oauthlib.oauth1 import Client, SIGNATURE_TYPE_AUTH_HEADER, SIGNATURE_TYPE_BODY, SIGNATURE_TYPE_QUERY
from oauthlib.oauth1.rfc5849 import signature

PLACES = {
    "header": SIGNATURE_TYPE_AUTH_HEADER,
    "query": SIGNATURE_TYPE_QUERY,
    "form": SIGNATURE_TYPE_BODY,
}

base_strings = []
make_base_string = signature.signature_base_string


def noted_base_string(*arguments):
    base_strings.append(make_base_string(*arguments))
    return base_strings[-1]


signature.signature_base_string = noted_base_string

for line in sys.stdin:
    case = json.loads(line)
    client = Client(
        case["consumerKey"],
        client_secret=case["consumerSecret"],
        resource_owner_key=case["token"],
        resource_owner_secret=case["tokenSecret"],
        callback_uri=case["callback"],
        verifier=case["verifier"],
        signature_method=case["signatureMethod"],
        signature_type=PLACES[case["place"]],
        nonce=case["nonce"],
        timestamp=case["timestamp"],
    )
    headers = {"Content-Type": case["contentType"]} if case["contentType"] else {}
    url, headers, body = client.sign(case["url"], case["method"], case["body"], headers)
    answer = {
        "url": url,
        "authorization": headers.get("Authorization"),
        "contentType": headers.get("Content-Type"),
        "body": body,
        "baseString": base_strings.pop(),
    }
    sys.stdout.write(json.dumps(answer) + "\n")
