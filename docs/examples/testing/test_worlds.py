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


def test_a_campaign_runs_out_of_budget_until_midnight(world):
    session, account = session_of(world)
    instrument = session.get(account + "/funding_instruments").json()["data"][0]["id"]
    campaign = {"funding_instrument_id": instrument, "name": "Autumn", "daily_budget_amount_local_micro": 55_000_000}
    made = session.post(account + "/campaigns", data=campaign).json()["data"]
    spent = {
        "environment": "sandbox",
        "account_id": world["credentials"]["sandbox_account_id"],
        "campaign_id": made["id"],
        "amount_local_micro": 55_000_000,
    }
    control("POST", "/worlds/" + world["id"] + "/actions/spend", spent)

    def reasons():
        return session.get(account + "/campaigns/" + made["id"]).json()["data"]["reasons_not_servable"]

    assert "BUDGET_EXHAUSTED" in reasons()
    # The longest day of a year, at its change of time.
    control("POST", "/worlds/" + world["id"] + "/clock/advance", {"by": "PT25H"})
    assert "BUDGET_EXHAUSTED" not in reasons()


def test_an_answer_is_lost_and_the_program_looks_before_it_tries_again(world):
    session, account = session_of(world)
    rule = {"match": {"operation": "campaigns.delete"}, "effect": {"drop": "after_commit"}, "times": 1}
    control("POST", "/worlds/" + world["id"] + "/faults", rule)
    campaign = account + "/campaigns/" + session.get(account + "/campaigns").json()["data"][0]["id"]
    with pytest.raises(requests.ConnectionError):
        session.delete(campaign)
    # It is deleted: the answer was lost, and the work was done.
    assert session.get(campaign).status_code == 404
    expectations = [
        {"operation": "campaigns.delete", "times": 1},
        "nothing was retried after a lost answer without looking first",
    ]
    verified = control("POST", "/worlds/" + world["id"] + "/journal/verify", {"expectations": expectations})
    assert verified["passed"], verified
