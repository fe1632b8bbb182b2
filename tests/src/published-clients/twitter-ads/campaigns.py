"""Campaigns, line items, targeting, funding and promotion: create, load, change, save, batches, lists by pages, delete."""

from datetime import datetime, timedelta, timezone

from entities import client, plain
from steps import ENVIRONMENT, step
from twitter_ads.account import Account
from twitter_ads.campaign import Campaign, FundingInstrument, LineItem, PromotableUser, TargetingCriteria
from twitter_ads.creative import PromotedAccount, PromotedTweet

UNITED_STATES = "96683cc9126741d1"


def drive(account):
    @step("Account.all")
    def _():
        return account.id in [each.id for each in client().accounts()]

    @step("Account.load")
    def _():
        return plain(Account.load(client(), account.id))

    @step("Account.features")
    def _():
        return [key for key in ENVIRONMENT["features"] if key not in account.features()]

    @step("Account.promotable_users", "PromotableUser.all")
    def promotable_users():
        return [plain(each) for each in account.promotable_users()]

    @step("PromotableUser.load", "PromotableUser.reload")
    def _():
        return plain(PromotableUser.load(account, promotable_users[0]["id"]).reload())

    @step("FundingInstrument.create")
    def funding():
        start_time = (datetime.now(timezone.utc) - timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
        params = {"type": "CREDIT_CARD", "currency": "USD", "start_time": start_time}
        return plain(FundingInstrument.create(account, **params))

    @step("FundingInstrument.load", "FundingInstrument.reload", "Account.funding_instruments")
    def _():
        return plain(account.funding_instruments(funding["id"]).reload())

    @step("FundingInstrument.all")
    def _():
        return [each.id == funding["id"] for each in FundingInstrument.all(account)]

    campaigns(account, funding["id"])
    line_item = line_items(account, funding["id"])
    targeting(account, line_item)
    promotion(account, line_item, funding["id"])

    @step("FundingInstrument.delete")
    def _():
        other = FundingInstrument.create(account, type="CREDIT_CARD", currency="USD", start_time=funding["start_time"])
        other.delete()
        return other.deleted

    return funding["id"]


def new_campaign(account, funding_id, name):
    campaign = Campaign(account)
    campaign.funding_instrument_id = funding_id
    campaign.name = name
    campaign.daily_budget_amount_local_micro = 55000000
    campaign.entity_status = "PAUSED"
    return campaign


def campaigns(account, funding_id):
    campaign = new_campaign(account, funding_id, "Autumn")

    @step("Campaign.save")
    def _():
        return plain(campaign.save())

    @step("Campaign.create")
    def _():
        made = Campaign.create(
            account,
            funding_instrument_id=funding_id,
            name="Spring",
            daily_budget_amount_local_micro=1000000,
            standard_delivery=False,
        )
        return plain(made)

    @step("Campaign.load", "Account.campaigns")
    def _():
        return plain(account.campaigns(campaign.id))

    @step("Campaign.save (loaded, changed)")
    def _():
        loaded = Campaign.load(account, campaign.id)
        loaded.name = "Late autumn"
        loaded.total_budget_amount_local_micro = 9007199254740993
        return plain(loaded.save())

    @step("Campaign.save (loaded, unchanged)")
    def _():
        loaded = Campaign.load(account, campaign.id)
        before = loaded.updated_at
        return loaded.save().updated_at == before

    @step("Campaign.reload")
    def _():
        return campaign.reload().name

    @step("Campaign.batch_save (create)")
    def batch():
        made = [new_campaign(account, funding_id, f"Batch {index}") for index in range(4)]
        Campaign.batch_save(account, made)
        return [each.name for each in made if each.id]

    @step("Campaign.batch_save")
    def _():
        found = [each for each in Campaign.all(account, q="Batch", sort_by="name-asc")]
        found[0].name = "Batch zero"
        found[1].to_delete = True
        Campaign.batch_save(account, found[:2])
        return [[each.name, each.deleted] for each in found[:2]]

    @step("Campaign.all")
    def _():
        # Booleans arrive as `True`, lists as repeated keys; the cursor fetches page after page.
        cursor = Campaign.all(account, count=2, sort_by=["name-asc"], with_deleted=True, with_total_count=False)
        names = [each.name for each in cursor]
        return {"names": names, "fetched": cursor.fetched, "exhausted": cursor.exhausted}

    @step("Campaign.all (counted)")
    def _():
        return Campaign.all(account, count=1, with_total_count="true").count

    @step("Campaign.all (by ids)")
    def _():
        chosen = [each.id for each in Campaign.all(account, count=3)]
        return len([each for each in Campaign.all(account, campaign_ids=chosen[:2])])

    @step("Campaign.delete")
    def _():
        other = new_campaign(account, funding_id, "Gone").save()
        other.delete()
        return other.deleted

    @step("Campaign.load (deleted)")
    def _():
        gone = [each for each in Campaign.all(account, with_deleted=True, q="Gone")][0]
        return Campaign.load(account, gone.id)


def new_line_item(account, campaign_id, **more):
    line_item = LineItem(account)
    line_item.campaign_id = campaign_id
    line_item.name = "Clicks"
    line_item.product_type = "PROMOTED_TWEETS"
    line_item.placements = ["TWITTER_TIMELINE", "TWITTER_SEARCH"]
    line_item.objective = "WEBSITE_CLICKS"
    line_item.entity_status = "PAUSED"
    line_item.bid_strategy = "AUTO"
    line_item.start_time = datetime(2027, 3, 1, 12, 0, 0)
    line_item.end_time = datetime(2027, 4, 1, 12, 0, 0)
    for name, value in more.items():
        setattr(line_item, name, value)
    return line_item


def line_items(account, funding_id):
    campaign = new_campaign(account, funding_id, "With line items").save()
    line_item = new_line_item(account, campaign.id)

    @step("LineItem.save")
    def _():
        line_item.save()
        return plain(line_item)

    @step("LineItem.create")
    def _():
        params = dict(campaign_id=campaign.id, name="Second", product_type="PROMOTED_TWEETS", bid_strategy="AUTO")
        params.update(placements=["TWITTER_TIMELINE"], objective="WEBSITE_CLICKS", start_time="2027-03-01T12:00:00Z")
        return plain(LineItem.create(account, end_time="2027-04-01T12:00:00Z", **params))

    @step("LineItem.load", "LineItem.reload", "Account.line_items")
    def _():
        return plain(account.line_items(line_item.id).reload())

    @step("LineItem.save (loaded, changed)")
    def _():
        loaded = LineItem.load(account, line_item.id)
        loaded.name = "More clicks"
        loaded.save()
        return plain(loaded)

    @step("LineItem.batch_save")
    def _():
        made = [new_line_item(account, campaign.id, name=f"Batch {index}") for index in range(2)]
        LineItem.batch_save(account, made)
        made[0].name = "Batch zero"
        made[1].to_delete = True
        LineItem.batch_save(account, made)
        return [[each.name, each.deleted] for each in made]

    @step("LineItem.all")
    def _():
        return [each.name for each in LineItem.all(account, campaign_ids=[campaign.id], sort_by=["created_at-desc"], count=2)]

    @step("LineItem.delete")
    def _():
        other = new_line_item(account, campaign.id, name="Gone")
        other.save()
        other.delete()
        return other.deleted

    return line_item


def targeting(account, line_item):
    criterion = TargetingCriteria(account)
    criterion.line_item_id = line_item.id
    criterion.targeting_type = "LOCATION"
    criterion.targeting_value = UNITED_STATES

    @step("TargetingCriteria.save")
    def _():
        return plain(criterion.save())

    @step("TargetingCriteria.create")
    def _():
        params = dict(line_item_id=line_item.id, targeting_type="BROAD_KEYWORD", targeting_value="rain garden")
        return plain(TargetingCriteria.create(account, **params))

    @step("TargetingCriteria.load", "TargetingCriteria.reload")
    def _():
        return plain(line_item.targeting_criteria(criterion.id).reload())

    @step("TargetingCriteria.batch_save")
    def _():
        values = ["umbrella", "raincoat"]
        made = []
        for value in values:
            each = TargetingCriteria(account)
            each.line_item_id, each.targeting_type, each.targeting_value = line_item.id, "BROAD_KEYWORD", value
            made.append(each)
        TargetingCriteria.batch_save(account, made)
        made[1].to_delete = True
        TargetingCriteria.batch_save(account, made[1:])
        return [[each.targeting_value, each.deleted] for each in made]

    @step("TargetingCriteria.all", "LineItem.targeting_criteria")
    def _():
        return sorted(each.targeting_value for each in line_item.targeting_criteria(with_deleted=False))

    @step("TargetingCriteria.delete")
    def _():
        other = TargetingCriteria.create(
            account, line_item_id=line_item.id, targeting_type="BROAD_KEYWORD", targeting_value="gone"
        )
        other.delete()
        return other.deleted


def promotion(account, line_item, funding_id):
    from twitter_ads.campaign import Tweet

    user_id = ENVIRONMENT["credentials"]["user_id"]
    posts = [Tweet.create(account, text=f"Rain is good for gardens https://books.example.com/{account.id}/{index}", as_user_id=user_id) for index in range(3)]

    @step("PromotedTweet.attach")
    def _():
        cursor = PromotedTweet.attach(account, line_item_id=line_item.id, tweet_ids=[each["id_str"] for each in posts[:2]])
        return [plain(each)["tweet_id"] in [post["id_str"] for post in posts] for each in cursor]

    @step("PromotedTweet.all", "Account.promoted_tweets")
    def promoted():
        return [plain(each) for each in account.promoted_tweets(line_item_ids=[line_item.id], count=1)]

    @step("PromotedTweet.load", "PromotedTweet.reload")
    def _():
        return plain(account.promoted_tweets(promoted[0]["id"]).reload())

    @step("PromotedTweet.delete")
    def _():
        held = PromotedTweet.load(account, promoted[0]["id"])
        held.delete()
        return held.deleted

    campaign = new_campaign(account, funding_id, "Followers").save()
    of_followers = dict(objective="FOLLOWERS", product_type="PROMOTED_ACCOUNT", placements=["TWITTER_TIMELINE"])
    followers = new_line_item(account, campaign.id, **of_followers)
    followers.save()

    @step("PromotedAccount.save")
    def promoted_account():
        made = PromotedAccount(account)
        made.line_item_id, made.user_id = followers.id, user_id
        return plain(made.save())

    @step("PromotedAccount.load", "PromotedAccount.reload")
    def _():
        return plain(PromotedAccount.load(account, promoted_account["id"]).reload())

    @step("PromotedAccount.all")
    def _():
        return [each.user_id for each in PromotedAccount.all(account)]

    @step("PromotedAccount.delete", "PromotedAccount.create")
    def _():
        PromotedAccount.load(account, promoted_account["id"]).delete()
        made = PromotedAccount.create(account, line_item_id=followers.id, user_id=user_id)
        made.delete()
        return made.deleted
