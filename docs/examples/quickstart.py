"""Calls a running Broadside with an ordinary OAuth 1.0a client: pip install requests-oauthlib"""
import json
import os
import sys

from requests_oauthlib import OAuth1Session

data = os.environ.get("BROADSIDE_DATA_DIR") or ".data"
path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(data, "credentials.json")
if not os.path.exists(path):
    sys.exit(f"{path} does not exist: start the server first, or name the file as argument 1")
with open(path) as file:
    credentials = json.load(file)
session = OAuth1Session(
    credentials["consumer_key"],
    client_secret=credentials["consumer_secret"],
    resource_owner_key=credentials["access_token"],
    resource_owner_secret=credentials["access_token_secret"],
)


def call(method, path, params=None, **body):
    response = session.request(method, credentials["ads_sandbox_base_url"] + path, params=params, **body)
    answer = response.json()
    if not response.ok:
        raise SystemExit(f"{method} {path}: {response.status_code} {json.dumps(answer, indent=2)}")
    return answer


account = call("POST", "/12/accounts")["data"]["id"]
call("POST", f"/12/accounts/{account}/features", {"feature_keys": "REACH_FREQUENCY_CAP"})
card = call(
    "POST",
    f"/12/accounts/{account}/funding_instruments",
    {
        "type": "CREDIT_CARD",
        "currency": "USD",
        "start_time": "2026-01-01T00:00:00Z",
        "credit_limit_local_micro": 5_000_000_000,
    },
)["data"]["id"]

campaign = call(
    "POST",
    f"/12/accounts/{account}/campaigns",
    {
        "name": "Summer reading",
        "funding_instrument_id": card,
        "daily_budget_amount_local_micro": 55_000_000,
        "entity_status": "PAUSED",
    },
)
print(json.dumps(campaign, indent=2))

operations = [
    {
        "operation_type": "Create",
        "params": {
            "name": f"Chapter {number}",
            "funding_instrument_id": card,
            "daily_budget_amount_local_micro": 10_000_000,
        },
    }
    for number in range(1, 11)
]
call("POST", f"/12/batch/accounts/{account}/campaigns", json=operations)

cursor = None
while True:
    page = call("GET", f"/12/accounts/{account}/campaigns", {"count": 4, "cursor": cursor})
    print([campaign["name"] for campaign in page["data"]])
    cursor = page["next_cursor"]
    if cursor is None:
        break
