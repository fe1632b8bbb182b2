"""Reads posts of the demo with the app's bearer token; needs Python alone."""
import json
import os
import sys
from urllib.parse import urlencode
from urllib.request import Request, urlopen

data = os.environ.get("BROADSIDE_DATA_DIR") or ".data"
path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(data, "credentials.json")
if not os.path.exists(path):
    sys.exit(f"{path} does not exist: start the server first, or name the file as argument 1")
with open(path) as file:
    credentials = json.load(file)
query = urlencode(
    {
        "ids": ",".join(credentials["post_ids"][:3]),
        "expansions": "author_id,referenced_posts.id",
        "post.fields": "created_at,entities,public_metrics,referenced_posts",
        "user.fields": "verified",
    }
)
request = Request(
    f"{credentials['base_url']}/2/posts?{query}",
    headers={"Authorization": f"Bearer {credentials['bearer_token']}"},
)
with urlopen(request) as response:
    answer = json.load(response)
authors = {user["id"]: user for user in answer["includes"]["users"]}
for post in answer["data"]:
    print(post["created_at"], "@" + authors[post["author_id"]]["username"], post["public_metrics"]["like_count"], post["text"])
