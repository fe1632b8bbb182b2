"""Drives tweepy over what it offers and the server has: lookups of posts, uploads, and the three-legged flow."""

import inspect
import io
import os
import sys
from urllib.parse import parse_qs, urlsplit

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import tweepy
from person import allow
from steps import ENVIRONMENT, finish, media, methods_of, offer, step

HELD = ENVIRONMENT["credentials"]
KEYS = [HELD[name] for name in ("consumer_key", "consumer_secret", "access_token", "access_token_secret")]
KINDS = (tweepy.API, tweepy.Client, tweepy.OAuth1UserHandler, tweepy.OAuth2AppHandler, tweepy.OAuth2UserHandler)

# Of the last three what they add to what they inherit.
offer(
    f"{kind.__name__}.{method}"
    for kind in KINDS
    for method in (methods_of(kind) if kind in KINDS[:2] else [name for name in vars(kind) if not name.startswith("_")])
)

bearer = tweepy.Client(bearer_token=HELD["bearer_token"])
user = tweepy.Client(
    consumer_key=KEYS[0], consumer_secret=KEYS[1], access_token=KEYS[2], access_token_secret=KEYS[3]
)
api = tweepy.API(tweepy.OAuth1UserHandler(*KEYS))
POSTS = ENVIRONMENT["posts"]
FIELDS = ["author_id", "conversation_id", "created_at", "edit_history_tweet_ids", "public_metrics", "referenced_tweets"]


@step("Client.get_tweets (all fields)")
def _():
    found = user.get_tweets(
        POSTS[:1],
        user_auth=True,
        tweet_fields=FIELDS,
        expansions=["author_id", "referenced_tweets.id", "attachments.media_keys"],
        user_fields=["created_at", "pinned_tweet_id", "public_metrics", "verified"],
        media_fields=["url", "type"],
    )
    [data] = [each.data for each in found.data]
    [author] = [each.data for each in found.includes["users"]]
    return {
        "fields": sorted(data),
        "metrics": sorted(data["public_metrics"]),
        "author": author["id"] == data["author_id"],
        "user_metrics": sorted(author["public_metrics"]),
    }


@step("Client.get_tweets")
def _():
    found = bearer.get_tweets([*POSTS[:3], "1"], tweet_fields=["created_at"])
    return {
        "ids": [str(each.id) for each in found.data],
        "dated": [each.created_at is not None for each in found.data],
        "errors": found.errors,
    }


@step("Client.get_tweets (of a post that refers to another)")
def _():
    found = bearer.get_tweets(POSTS, tweet_fields=["referenced_tweets"], expansions=["referenced_tweets.id.author_id"])
    kinds = {each.type for post in found.data for each in post.referenced_tweets or []}
    return {"kinds": sorted(kinds), "included": "tweets" in found.includes}


@step("Client.request", "error of a field")
def _():
    return bearer.get_tweets(POSTS[:1], tweet_fields=["organic_metric"])


@step("error of a token")
def _():
    return tweepy.Client(bearer_token="wrong").get_tweets(POSTS[:1])


@step("API.simple_upload", "API.media_upload")
def _():
    uploaded = api.media_upload("rain.png", file=io.BytesIO(media("wide_image")))
    return {"whole": uploaded.media_id_string == str(uploaded.media_id), "image": uploaded.image, "size": uploaded.size}


@step("API.simple_upload (with a category)")
def _():
    uploaded = api.simple_upload("rain.png", file=io.BytesIO(media("square_image")), media_category="tweet_image")
    return {"key": uploaded.media_key.split("_")[0], "width": uploaded.image["w"]}


@step("API.chunked_upload", "API.chunked_upload_init", "API.chunked_upload_append", "API.chunked_upload_finalize")
def film():
    file = io.BytesIO(media("wide_video"))
    uploaded = api.chunked_upload("rain.mp4", file=file, file_type="video/mp4", media_category="tweet_video")
    return {"id": uploaded.media_id, "state": uploaded.processing_info["state"], "video": uploaded.video["video_type"]}


@step("API.get_media_upload_status", "API.request")
def _():
    return {"state": api.get_media_upload_status(film["id"]).processing_info["state"]}


@step("error of an upload")
def _():
    return api.simple_upload("none.png", file=io.BytesIO(b"no picture"))


@step("OAuth1UserHandler.get_authorization_url", "OAuth1UserHandler.get_access_token")
def _():
    handler = tweepy.OAuth1UserHandler(*KEYS[:2], callback=HELD["callback_url"])
    url = handler.get_authorization_url()
    back = urlsplit(allow(url, HELD["screen_name"], HELD["password"]))
    held = {name: values[0] for name, values in parse_qs(back.query).items()}
    token, secret = handler.get_access_token(held["oauth_verifier"])
    found = tweepy.Client(
        consumer_key=KEYS[0], consumer_secret=KEYS[1], access_token=token, access_token_secret=secret
    ).get_tweets(POSTS[:1], user_auth=True)
    return {
        "page": url.split("?")[0],
        "back": f"{back.scheme}://{back.netloc}{back.path}" == HELD["callback_url"],
        "same": held["oauth_token"] == handler.request_token["oauth_token"],
        "user": token.split("-")[0] == HELD["user_id"],
        "reads": [str(each.id) == POSTS[0] for each in found.data],
    }


@step("OAuth1UserHandler.get_authorization_url (PIN, reading only)", "OAuth1UserHandler.apply_auth")
def _():
    handler = tweepy.OAuth1UserHandler(*KEYS[:2], callback="oob")
    text = allow(handler.get_authorization_url(access_type="read"), HELD["screen_name"], HELD["password"])
    pin = next(word for word in text.split() if word.isdigit() and len(word) == 7)
    handler.get_access_token(pin)
    try:
        tweepy.API(handler).simple_upload("rain.png", file=io.BytesIO(media("wide_image")))
    except tweepy.HTTPException as error:
        return {"write": error.response.status_code, "codes": error.api_codes}
    return {"write": 200}


@step("OAuth2AppHandler.apply_auth")
def _():
    handler = tweepy.OAuth2AppHandler(*KEYS[:2])
    return {"same": handler._bearer_token == HELD["bearer_token"], "kind": type(handler.apply_auth()).__name__}


def status_of(call):
    """Which words an operation is missed with is pinned elsewhere."""
    try:
        return call()
    except tweepy.HTTPException as error:
        return {"status": error.response.status_code, "codes": error.api_codes, "named": len(error.api_messages) > 0}


@step("absent operations")
def _():
    return status_of(lambda: bearer.get_tweet(POSTS[0]))


@step("absent operations (1.1)")
def _():
    return status_of(api.verify_credentials)


finish()
