"""From a picture to a promoted post with a card, with OAuth 1.0a: pip install requests-oauthlib"""
import json
import os
import sys
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


def call(method, path, params=None, base_url=credentials["ads_sandbox_base_url"], **body):
    response = session.request(method, base_url + path, params=params, **body)
    answer = response.json()
    if not response.ok:
        raise SystemExit(f"{method} {path}: {response.status_code} {json.dumps(answer, indent=2)}")
    return answer["data"]


def timestamp(when):
    return when.strftime("%Y-%m-%dT%H:%M:%SZ")


# The picture goes into the media library, and a card shows it with a website. Cards are JSON, which the signature does not cover.
with open(sys.argv[1] if len(sys.argv) > 1 else "picture.png", "rb") as image:
    media = call("POST", "/2/media/upload", base_url=credentials["base_url"], files={"media": image})["media_key"]
call("POST", f"{account}/media_library", {"media_key": media, "name": "Autumn shelf"})
components = [
    {"type": "MEDIA", "media_key": media},
    {
        "type": "DETAILS",
        "title": "40 books for long evenings",
        "destination": {"type": "WEBSITE", "url": "https://harborbooks.example.com/autumn"},
    },
]
card = call("POST", f"{account}/cards", json={"name": "Autumn shelf", "components": components})
print(card["card_type"])

# A draft to look at: the address works in any browser for 24 hours.
post = {
    "as_user_id": credentials["user_id"],
    "text": f"The autumn shelf is up, {now.isoformat()}.",
    "card_uri": card["card_uri"],
}
draft = call("POST", f"{account}/draft_posts", post)["id"]
frames = call("GET", f"{account}/post_previews", {"post_ids": draft, "post_type": "DRAFT"})
print(frames[0]["preview"])

# The same as a post, for promotion only, and once more in an hour.
post_id = call("POST", f"{account}/post", post)["id_str"]
later = {**post, "text": "Two books are left on the autumn shelf.", "scheduled_at": timestamp(now + timedelta(hours=1))}
print(call("POST", f"{account}/scheduled_posts", later)["scheduled_status"])

# Clicks on the website are what the line item pays for.
funding = call("GET", f"{account}/funding_instruments")[0]["id"]
campaign = call(
    "POST",
    f"{account}/campaigns",
    {"name": "Autumn shelf", "funding_instrument_id": funding, "daily_budget_amount_local_micro": 55_000_000},
)["id"]
line_item = call(
    "POST",
    f"{account}/line_items",
    {
        "campaign_id": campaign,
        "name": "Clicks",
        "objective": "WEBSITE_CLICKS",
        "product_type": "PROMOTED_POSTS",
        "placements": "PLATFORM_TIMELINE",
        "bid_amount_local_micro": 1_500_000,
        "start_time": timestamp(now),
        "end_time": timestamp(now + timedelta(days=30)),
    },
)["id"]
promoted = call("POST", f"{account}/promoted_posts", {"line_item_id": line_item, "post_ids": post_id})
print("promoted", promoted[0]["post_id"], promoted[0]["approval_status"])
