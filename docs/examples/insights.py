"""How often keywords are written, and what is written with them: pip install requests-oauthlib"""
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

# Seven days up to now, in whole seconds: one number for each of them.
end = datetime.now(timezone.utc).replace(microsecond=0)
start = end - timedelta(days=7)
response = session.get(
    credentials["ads_base_url"] + "/12/insights/keywords/search",
    params={
        "granularity": "DAY",
        "keywords": "storm,last ferry",
        "negative_keywords": "songs",
        "start_time": start.isoformat(),
        "end_time": end.isoformat(),
    },
)
answer = response.json()
if not response.ok:
    raise SystemExit(json.dumps(answer, indent=2))
for day, posts in enumerate(answer["data"]["post_volume"]):
    print((start + timedelta(days=day)).strftime("from %A %H:%M"), posts)
print(len(answer["data"]["related_keywords"]), "related keywords:", *answer["data"]["related_keywords"])
