"""Entities of the advertising SDK as plain data, uploads, and what there is in the SDK."""

import importlib
import inspect
import pkgutil
import time

import twitter_ads
from steps import ENVIRONMENT, media
from twitter_ads.client import Client
from twitter_ads.http import Request
from twitter_ads.resource import Batch, Persistence, Resource

CREDENTIALS = [
    ENVIRONMENT["credentials"][name]
    for name in ("consumer_key", "consumer_secret", "access_token", "access_token_secret")
]


def client(sandbox=True, credentials=CREDENTIALS):
    return Client(*credentials, options={"sandbox": sandbox})


def plain(entity):
    """What the SDK read of an answer. It keeps neither nulls nor false, and zero is as good as missing."""
    held = {name: getattr(entity, name) for name in entity.PROPERTIES}
    return {name: value for name, value in held.items() if value is not None and not callable(value)}


def upload(name, category):
    """Uploads media, as the SDK's example does. @returns the media key"""
    # The file has no name, which the example says is needed.
    files = {"media": (None, media(name))}
    params = {"media_category": category}
    answer = of_uploads("post", params, files=files)
    while answer.get("processing_info", {}).get("state") in ("pending", "in_progress"):
        time.sleep(0.1)
        answer = {**answer, **of_uploads("get", {"command": "STATUS", "media_id": answer["media_id_string"]})}
    return answer["media_key"]


def of_uploads(method, params, **more):
    request = Request(
        client(sandbox=False), method, "/1.1/media/upload.json", domain="https://upload.twitter.com", params=params, **more
    )
    return request.perform().body


def offered():
    """Class and method of all resources that the SDK has."""
    kinds = {}
    for module in pkgutil.iter_modules(twitter_ads.__path__):
        for name, kind in inspect.getmembers(importlib.import_module(f"twitter_ads.{module.name}"), inspect.isclass):
            if kind.__module__.startswith("twitter_ads.") and kind not in (Resource, Persistence, Batch):
                if issubclass(kind, Resource) or hasattr(kind, "RESOURCE_COLLECTION") or hasattr(kind, "TWEET_CREATE"):
                    kinds[name] = kind
    return kinds
