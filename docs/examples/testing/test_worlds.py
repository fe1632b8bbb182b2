"""A world for each test: pip install pytest requests-oauthlib"""
import os
import pathlib

import pytest
import requests
from requests_oauthlib import OAuth1Session

CONTROL = os.environ.get("BROADSIDE_CONTROL_URL", "http://127.0.0.1:8003")
DATA = pathlib.Path(os.environ.get("BROADSIDE_DATA_DIR", ".data"))


def control(method, path, body=None):
    """Calls the control of the server as its operator."""
    token = os.environ.get("BROADSIDE_OPERATOR_TOKEN") or (DATA / "operator.token").read_text().strip()
    headers = {"authorization": "Bearer " + token}
    response = requests.request(method, CONTROL + path, json=body, headers=headers, timeout=60)
    assert response.ok, response.text
    return response.json()["data"]


@pytest.fixture
def world():
    # A run that is cut off leaves it behind for ten minutes.
    made = control("POST", "/worlds", {"from": {"demo": True}, "ttl_seconds": 600})
    yield made
    control("DELETE", "/worlds/" + made["id"])


def session_of(world):
    credentials = world["credentials"]
    session = OAuth1Session(
        credentials["consumer_key"],
        client_secret=credentials["consumer_secret"],
        resource_owner_key=credentials["access_token"],
        resource_owner_secret=credentials["access_token_secret"],
    )
    account = credentials["ads_sandbox_base_url"] + "/12/accounts/" + credentials["sandbox_account_id"]
    return session, account


def test_a_fork_has_the_campaigns_and_goes_its_own_way(world):
    session, account = session_of(world)
    campaigns = session.get(account + "/campaigns").json()["data"]
    fork = control("POST", "/worlds/" + world["id"] + "/fork", {})
    try:
        other, _ = session_of(fork)
        assert [one["id"] for one in other.get(account + "/campaigns").json()["data"]] == [one["id"] for one in campaigns]
        assert other.delete(account + "/campaigns/" + campaigns[0]["id"]).ok
        assert session.get(account + "/campaigns").json()["data"] == campaigns
    finally:
        control("DELETE", "/worlds/" + fork["id"])


def test_each_test_begins_anew(world):
    session, account = session_of(world)
    for campaign in session.get(account + "/campaigns").json()["data"]:
        assert session.delete(account + "/campaigns/" + campaign["id"]).ok
    assert session.get(account + "/campaigns").json()["data"] == []
