"""Uploads an image with an ordinary OAuth 1.0a client: pip install requests-oauthlib"""
import json
import os
import sys
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
with open(sys.argv[1], "rb") as image:
    response = session.post(
        f"{credentials['base_url']}/2/media/upload",
        files={"media": image},
        data={"media_category": "post_image"},
    )
response.raise_for_status()
media = response.json()["data"]
print(media["media_key"], media["image"]["w"], media["image"]["h"])
