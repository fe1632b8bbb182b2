"""Calls a running Broadside with the client that openapi-python-client wrote: docs/guides/generated-clients.md"""
import json
import os
import sys
from datetime import datetime, timezone

import httpx
from broadside_client import AuthenticatedClient
from broadside_client.api.accounts import accounts_create
from broadside_client.api.campaigns import campaigns_create, campaigns_list, campaigns_update
from broadside_client.api.funding_instruments import funding_instruments_create
from broadside_client.models import (
    CampaignsCreateParameters,
    CampaignsListSortByItem as SortBy,
    CampaignsUpdateParameters,
    Errors,
    FundingInstrumentsCreateParameters,
    FundingInstrumentsCreateParametersType,
)
from broadside_client.types import UNSET
from oauthlib.oauth1 import Client as Signer

path = sys.argv[1] if len(sys.argv) > 1 else ".data/credentials.json"
if not os.path.exists(path):
    sys.exit(f"{path} does not exist: start the server first, or name the file as argument 1")
with open(path) as file:
    credentials = json.load(file)


class OAuth1(httpx.Auth):
    """Signs each request as it is sent: after lists are written with commas, which the generator writes as repeated names."""

    def __init__(self, credentials):
        self.signer = Signer(
            credentials["consumer_key"],
            client_secret=credentials["consumer_secret"],
            resource_owner_key=credentials["access_token"],
            resource_owner_secret=credentials["access_token_secret"],
        )

    def auth_flow(self, request):
        query = request.url.params
        if query:
            request.url = request.url.copy_with(params={name: ",".join(query.get_list(name)) for name in query})
        _, headers, _ = self.signer.sign(str(request.url), request.method)
        request.headers["Authorization"] = headers["Authorization"]
        yield request


# The generator asks for a token; the signature takes its place.
client = AuthenticatedClient(
    base_url=credentials["ads_sandbox_base_url"], token="", httpx_args={"auth": OAuth1(credentials)}
)


def done(answer):
    if isinstance(answer, Errors):
        raise SystemExit(", ".join(f"{error.code}: {error.message}" for error in answer.errors))
    return answer


account_id = done(accounts_create.sync(client=client)).data.id
card = done(
    funding_instruments_create.sync(
        account_id,
        client=client,
        body=FundingInstrumentsCreateParameters(
            type_=FundingInstrumentsCreateParametersType.CREDIT_CARD,
            currency="USD",
            start_time=datetime(2026, 1, 1, tzinfo=timezone.utc),
        ),
    )
).data

ids = []
for name in ["Spring", "Summer", "Winter"]:
    body = CampaignsCreateParameters(
        name=name, funding_instrument_id=card.id, daily_budget_amount_local_micro=55_000_000
    )
    ids.append(done(campaigns_create.sync(account_id, client=client, body=body)).data.id)

# Pages: the cursor of the next one, until it is null.
cursor = UNSET
while cursor is not None:
    page = done(
        campaigns_list.sync(account_id, client=client, count=2, sort_by=[SortBy.NAME_ASC], cursor=cursor)
    )
    print("page:", ", ".join(campaign.name for campaign in page.data))
    cursor = page.next_cursor

chosen = done(
    campaigns_list.sync(
        account_id, client=client, campaign_ids=ids[1:], sort_by=[SortBy.DELETED_ASC, SortBy.NAME_DESC]
    )
)
print("chosen:", ", ".join(campaign.name for campaign in chosen.data))

rejected = campaigns_update.sync_detailed(
    account_id, ids[0], client=client, body=CampaignsUpdateParameters(total_budget_amount_local_micro=1)
)
for error in rejected.parsed.errors:
    print("error:", rejected.status_code.value, error.code, error.parameter)
