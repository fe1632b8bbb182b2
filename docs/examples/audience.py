"""From a CSV file to a line item that targets its people, with OAuth 1.0a: pip install requests-oauthlib"""
import csv
import hashlib
import json
import os
import sys
import time
from datetime import datetime, timedelta, timezone

from requests_oauthlib import OAuth1Session

data = os.environ.get("BROADSIDE_DATA_DIR") or ".data"
path = sys.argv[2] if len(sys.argv) > 2 else os.path.join(data, "credentials.json")
if not os.path.exists(path):
    sys.exit(f"{path} does not exist: start the server first, or name the file as argument 2")
with open(path) as file:
    credentials = json.load(file)
session = OAuth1Session(
    credentials["consumer_key"],
    client_secret=credentials["consumer_secret"],
    resource_owner_key=credentials["access_token"],
    resource_owner_secret=credentials["access_token_secret"],
)
account = f"/12/accounts/{credentials['sandbox_account_id']}"
now = datetime.now(timezone.utc)


def call(method, path, params=None, **body):
    response = session.request(method, credentials["ads_sandbox_base_url"] + path, params=params, **body)
    answer = response.json()
    if not response.ok:
        raise SystemExit(f"{method} {path}: {response.status_code} {json.dumps(answer, indent=2)}")
    return answer["data"]


def timestamp(when):
    return when.strftime("%Y-%m-%dT%H:%M:%SZ")


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


audience = call("POST", f"{account}/custom_audiences", {"name": f"Readers {now.isoformat()}"})["id"]

# A handle is hashed without @ and in small letters; docs/guides/hashing.md has the form of each identifier.
with open(sys.argv[1] if len(sys.argv) > 1 else "people.csv", encoding="utf-8-sig", newline="") as file:
    reader = csv.reader(file)
    next(reader)
    users = [{"handle": [sha256(row[0].strip().lstrip("@").lower())]} for row in reader if row]

# An operation takes any number of people; a request 5,000,000 bytes, which are some 60,000 of them. With times of its own a
# request can be sent again whenever the answer got lost, and changes nothing.
for begin in range(0, len(users), 50_000):
    part = users[begin : begin + 50_000]
    params = {"users": part, "effective_at": timestamp(now), "expires_at": timestamp(now + timedelta(days=365))}
    operations = [{"operation_type": "Update", "params": params}]
    counts = call("POST", f"{account}/custom_audiences/{audience}/users", json=operations)
    assert counts["success_count"] == counts["total_count"] == len(part)
print(len(users), "sent")

# People are matched in the background.
while True:
    state = call("GET", f"{account}/custom_audiences/{audience}")
    if "PROCESSING" not in state["reasons_not_targetable"]:
        break
    time.sleep(0.5)
print("targetable" if state["targetable"] else state["reasons_not_targetable"], state["audience_size"])

criterion = {"targeting_type": "CUSTOM_AUDIENCE", "targeting_value": audience}
size = call("POST", f"{account}/audience_estimate", json={"targeting_criteria": [criterion]})["audience_size"]
print("between", size["min"], "and", size["max"], "people")

card = call("GET", f"{account}/funding_instruments")[0]["id"]
campaign = call(
    "POST",
    f"{account}/campaigns",
    {"name": "Summer reading", "funding_instrument_id": card, "daily_budget_amount_local_micro": 55_000_000},
)["id"]
line_item = call(
    "POST",
    f"{account}/line_items",
    {
        "campaign_id": campaign,
        "name": "Readers",
        "objective": "ENGAGEMENTS",
        "product_type": "PROMOTED_POSTS",
        "placements": "PLATFORM_TIMELINE",
        "bid_amount_local_micro": 1_500_000,
        "start_time": timestamp(now),
        "end_time": timestamp(now + timedelta(days=30)),
    },
)["id"]
criterion = call("POST", f"{account}/targeting_criteria", {"line_item_id": line_item, **criterion})
print(criterion["targeting_type"], criterion["name"])
