"""Asks a person for access to their account, with a PIN: pip install requests-oauthlib"""
import json
import os
import sys

from requests_oauthlib import OAuth1Session

data = os.environ.get("BROADSIDE_DATA_DIR") or ".data"
path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(data, "credentials.json")
if not os.path.exists(path):
    sys.exit(f"{path} does not exist: start the server first, or name the file as argument 1")
with open(path) as file:
    app = json.load(file)
base_url = app["base_url"]

flow = OAuth1Session(app["consumer_key"], client_secret=app["consumer_secret"], callback_uri="oob")
flow.fetch_request_token(f"{base_url}/oauth/request_token")
print("Open", flow.authorization_url(f"{base_url}/oauth/authorize"))
token = flow.fetch_access_token(f"{base_url}/oauth/access_token", verifier=input("PIN: ").strip())

session = OAuth1Session(
    app["consumer_key"],
    client_secret=app["consumer_secret"],
    resource_owner_key=token["oauth_token"],
    resource_owner_secret=token["oauth_token_secret"],
)
accounts = session.get(app["ads_sandbox_base_url"] + "/12/accounts").json()["data"]
print(token["screen_name"], [account["name"] for account in accounts])
