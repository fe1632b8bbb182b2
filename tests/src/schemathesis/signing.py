"""Authentication of requests: OAuth 1.0a by oauthlib, bearer tokens, and the key of an app."""

import secrets
from urllib.parse import parse_qs, urlsplit

from oauthlib.common import extract_params
from oauthlib.oauth1 import Client
from requests.auth import AuthBase, HTTPBasicAuth

FORM = "application/x-www-form-urlencoded"

# Begins the nonces, which a server takes once.
RUN = secrets.token_hex(6)


class OAuth1(AuthBase):
    """Signs prepared requests: their method, URL, query and form."""

    nonces = 0

    def __init__(self, credential, now):
        self.credential = credential
        self.now = now

    def __call__(self, request):
        OAuth1.nonces += 1
        # The documents describe the protocol's parameters in the query. A token there must not come twice.
        has_token = "oauth_token" in parse_qs(urlsplit(request.url).query, keep_blank_values=True)
        client = Client(
            self.credential["consumer_key"],
            self.credential["consumer_secret"],
            None if has_token else self.credential.get("token"),
            self.credential.get("token_secret"),
            nonce=f"{RUN}{OAuth1.nonces}",
            timestamp=str(self.now),
        )
        body = signed_form(request)
        _, headers, _ = client.sign(request.url, request.method, body, {} if body is None else {"Content-Type": FORM})
        request.headers["Authorization"] = headers["Authorization"]
        return request


def signed_form(request):
    """The form that a signature covers; nothing where the body is another, or no form after all."""
    content_type = request.headers.get("Content-Type") or ""
    if isinstance(content_type, bytes):
        content_type = content_type.decode("latin-1")
    if content_type.split(";")[0].strip().lower() != FORM or request.method in ("GET", "HEAD"):
        return None
    body = request.body
    if isinstance(body, bytes):
        body = body.decode("latin-1")
    return body if body and extract_params(body) else None


class Bearer(AuthBase):
    def __init__(self, token):
        self.token = token

    def __call__(self, request):
        request.headers["Authorization"] = f"Bearer {self.token}"
        return request


def authentication(credential, now):
    """What authenticates a request with a credential."""
    scheme = credential["scheme"]
    if scheme == "bearer":
        return Bearer(credential["token"])
    if scheme == "basic":
        return HTTPBasicAuth(credential["user"], credential["password"])
    return OAuth1(credential, now)
