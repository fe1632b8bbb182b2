"""Custom audiences and their members, estimates, and lists of what can be targeted."""

import hashlib

from entities import client, plain
from steps import step
from twitter_ads.audience import CustomAudience, CustomAudiencePermission
from twitter_ads.campaign import (
    AdvertiserBusinessCategories,
    ContentCategories,
    IabCategories,
    LineItemPlacements,
    TargetingCriteria,
)
from twitter_ads.client import Client
from twitter_ads.targeting import AudienceEstimate

OPTIONS = {
    "app_store_categories": {"os_type": "IOS"},
    "conversations": {"count": 3},
    "devices": {"q": "iphone"},
    "events": {"event_types": "SPORTS", "count": 3},
    "interests": {"q": "books"},
    "languages": {"q": "German"},
    "locations": {"location_type": "COUNTRIES", "q": "germany"},
    "network_operators": {"country_code": "US", "count": 5},
    "platforms": {},
    "platform_versions": {},
    "tv_markets": {},
    "tv_shows": {"locale": "en-US", "q": "news"},
}


def drive(account, other_account_id):
    @step("CustomAudience.create")
    def audience():
        return told(CustomAudience.create(account, "Readers"))

    held = CustomAudience.load(account, audience["id"])

    @step("CustomAudience.users")
    def _():
        users = [{"email": [hashed(f"reader{index}@example.com")]} for index in range(3)]
        users.append({"twitter_id": [hashed("1574155064023464850")]})
        return held.users([{"operation_type": "Update", "params": {"users": users}}])

    @step("CustomAudience.load", "CustomAudience.reload", "Account.custom_audiences")
    def _():
        return told(account.custom_audiences(audience["id"]).reload())

    @step("CustomAudience.all")
    def _():
        return [each.name for each in CustomAudience.all(account, sort_by="updated_at-desc", with_deleted=True)]

    @step("CustomAudience.targeted", "CustomAudienceTargeted.all")
    def _():
        return [plain(each) for each in held.targeted(with_active=False)]

    @step("CustomAudiencePermission.save")
    def _():
        permission = CustomAudiencePermission(account)
        permission.custom_audience_id = audience["id"]
        permission.granted_account_id, permission.permission_level = other_account_id, "READ_ONLY"
        return plain(permission.save())

    @step("CustomAudiencePermission.all", "CustomAudience.permissions")
    def _():
        return [each.granted_account_id == other_account_id for each in held.permissions()]

    @step("CustomAudiencePermission.delete")
    def _():
        [permission] = [each for each in held.permissions()]
        return permission.delete().deleted

    @step("CustomAudience.delete")
    def _():
        return held.delete().deleted

    @step("AudienceEstimate.load")
    def _():
        criterion = {"targeting_type": "BROAD_KEYWORD", "targeting_value": "books"}
        return plain(AudienceEstimate.load(account, {"targeting_criteria": [criterion]}))

    for name, params in OPTIONS.items():

        @step(f"TargetingCriteria.{name}")
        def _():
            [first, *_] = getattr(TargetingCriteria, name)(account, **params)
            # Which events there are depends on the day.
            return sorted(first) if name == "events" else first

    for kind in (LineItemPlacements, ContentCategories, IabCategories, AdvertiserBusinessCategories):

        @step(f"{kind.__name__}.all")
        def _():
            [first, *_] = kind.all(account)
            return plain(first)


def told(audience):
    """What does not depend on how far its members are counted."""
    changing = ("audience_size", "reasons_not_targetable", "targetable")
    return {name: value for name, value in plain(audience).items() if name not in changing}


def hashed(identifier):
    return hashlib.sha256(identifier.encode()).hexdigest()


def errors(account):
    """What the SDK makes of errors."""
    from entities import CREDENTIALS
    from twitter_ads.account import Account
    from twitter_ads.campaign import Campaign

    @step("error of a parameter")
    def _():
        return Campaign.create(account, name="", funding_instrument_id="zzz")

    @step("error of an account")
    def _():
        return Account.load(client(), "abc")

    @step("error of a secret")
    def _():
        wrong = [*CREDENTIALS[:3], "x" + CREDENTIALS[3]]
        return [each.id for each in Client(*wrong, options={"sandbox": True}).accounts()]

    @step("production is apart")
    def _():
        return account.id in [each.id for each in client(sandbox=False).accounts()]
