"""From an account to a running campaign with an ordinary OAuth 1.0a client: pip install requests-oauthlib"""
import json
import os
import sys
from datetime import datetime, timedelta, timezone

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
    return answer["data"]


# An account with a card that pays. Whoever makes it administers it, and can promote their own posts.
account = call("POST", "/12/accounts")["id"]
card = call(
    "POST",
    f"/12/accounts/{account}/funding_instruments",
    {"type": "CREDIT_CARD", "currency": "USD", "start_time": "2026-01-01T00:00:00Z"},
)["id"]

campaign = call(
    "POST",
    f"/12/accounts/{account}/campaigns",
    {"name": "Summer reading", "funding_instrument_id": card, "daily_budget_amount_local_micro": 55_000_000},
)["id"]

now = datetime.now(timezone.utc)
line_item = call(
    "POST",
    f"/12/accounts/{account}/line_items",
    {
        "campaign_id": campaign,
        "name": "Readers",
        "objective": "ENGAGEMENTS",
        "product_type": "PROMOTED_POSTS",
        "placements": "PLATFORM_TIMELINE,PLATFORM_SEARCH",
        "bid_amount_local_micro": 1_500_000,
        "start_time": now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "end_time": (now + timedelta(days=30)).strftime("%Y-%m-%dT%H:%M:%SZ"),
    },
)["id"]

# Lookups give the values that can be targeted.
interests = call("GET", "/12/targeting_criteria/interests", {"q": "biographies"})
countries = call("GET", "/12/targeting_criteria/locations", {"location_type": "COUNTRIES", "country_code": "US"})
audience = [
    {"targeting_type": row["targeting_type"], "targeting_value": row["targeting_value"]}
    for row in interests + countries
]
audience.append({"targeting_type": "BROAD_KEYWORD", "targeting_value": "summer books"})
audience.append({"targeting_type": "PHRASE_KEYWORD", "targeting_value": "library card", "operator_type": "NE"})

# Estimates and batches take JSON, which the signature does not cover.
size = call("POST", f"/12/accounts/{account}/audience_estimate", json={"targeting_criteria": audience})["audience_size"]
print("between", size["min"], "and", size["max"], "people")

# All criteria, or none of them.
operations = [{"operation_type": "Create", "params": {"line_item_id": line_item, **terms}} for terms in audience]
for criterion in call("POST", f"/12/batch/accounts/{account}/targeting_criteria", json=operations):
    print(criterion["targeting_type"], criterion["operator_type"], criterion["name"])

# The last post that the credentials of the demo name is the user's own.
promoted = call(
    "POST",
    f"/12/accounts/{account}/promoted_posts",
    {"line_item_id": line_item, "post_ids": credentials["post_ids"][-1]},
)
print("promoted", promoted[0]["post_id"], promoted[0]["approval_status"])

state = call("GET", f"/12/accounts/{account}/campaigns/{campaign}")
print(state["effective_status"], state["reasons_not_servable"])
