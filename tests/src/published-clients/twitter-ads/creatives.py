"""Media, cards, posts, drafts and previews."""

from datetime import datetime

from campaigns import new_campaign, new_line_item
from entities import plain, upload
from steps import ENVIRONMENT, step
from twitter_ads.campaign import Tweet
from twitter_ads.creative import (
    AccountMedia,
    Card,
    CardsFetch,
    DraftTweet,
    ImageConversationCard,
    MediaCreative,
    MediaLibrary,
    PollCard,
    ScheduledTweet,
    TweetPreview,
    Tweets,
    VideoConversationCard,
)
from twitter_ads.http import Request

USER_ID = ENVIRONMENT["credentials"]["user_id"]


def drive(account, funding_id):
    image, video, preroll = library(account)
    account_media(account, funding_id)
    cards(account, image)
    conversation_cards(account, image, video)
    posts(account, image)


def add(account, media_key, **more):
    item = MediaLibrary(account)
    item.media_key = media_key
    for name, value in more.items():
        setattr(item, name, value)
    return item.add()


def library(account):
    categories = {"wide_image": "TWEET_IMAGE", "wide_video": "TWEET_VIDEO", "preroll_video": "AMPLIFY_VIDEO"}
    keys = [upload(name, category) for name, category in categories.items()]

    @step("upload (categories in upper case)")
    def _():
        return [key.split("_")[0] for key in keys]

    @step("MediaLibrary.add")
    def _():
        return plain(add(account, keys[0], name="Rain", file_name="rain.png"))

    @step("MediaLibrary.load", "MediaLibrary.reload")
    def _():
        return plain(MediaLibrary.load(account, keys[0]).reload())

    @step("MediaLibrary.update")
    def _():
        item = MediaLibrary.load(account, keys[0])
        item.name = "More rain"
        return plain(item.update())

    @step("MediaLibrary.create")
    def _():
        made = MediaLibrary.create(account, media_key=keys[1], name="Film")
        add(account, keys[2], name="Pre-roll", title="Rain", description="A film")
        return plain(made)

    @step("MediaLibrary.all")
    def _():
        return sorted(each.name for each in MediaLibrary.all(account, media_type="VIDEO"))

    @step("MediaLibrary.delete")
    def _():
        item = add(account, upload("gif", "TWEET_GIF"))
        item.delete()
        return item.deleted

    return keys


def account_media(account, funding_id):
    @step("AccountMedia.all", "Account.account_media")
    def found():
        return [plain(each) for each in account.account_media(creative_types="PREROLL")]

    @step("AccountMedia.load", "AccountMedia.reload")
    def _():
        return plain(account.account_media(found[0]["id"]).reload())

    campaign = new_campaign(account, funding_id, "Pre-roll").save()
    of_preroll = dict(objective="PREROLL_VIEWS", product_type="MEDIA", placements=["ALL_ON_TWITTER"])
    # The SDK reads nothing of these.
    [business, *_] = Request(account.client, "get", "/11/advertiser_business_categories").perform().body["data"]
    line_item = new_line_item(account, campaign.id, categories=business["iab_categories"], **of_preroll)
    line_item.save()

    @step("MediaCreative.save")
    def made():
        creative = MediaCreative(account)
        creative.account_media_id, creative.line_item_id = found[0]["id"], line_item.id
        return plain(creative.save())

    @step("MediaCreative.all", "Account.media_creatives")
    def _():
        return [each.account_media_id == found[0]["id"] for each in account.media_creatives()]

    @step("MediaCreative.load", "MediaCreative.reload")
    def _():
        return plain(account.media_creatives(made["id"]).reload())

    @step("MediaCreative.delete", "MediaCreative.create")
    def _():
        MediaCreative.load(account, made["id"]).delete()
        again = MediaCreative.create(account, account_media_id=found[0]["id"], line_item_id=line_item.id)
        again.delete()
        return again.deleted

    @step("AccountMedia.delete")
    def _():
        held = AccountMedia.load(account, found[0]["id"])
        held.delete()
        return held.deleted


def website(account, media_key, name="Website"):
    card = Card(account)
    card.name = name
    destination = {"type": "WEBSITE", "url": "https://books.example.com/autumn"}
    card.components = [
        {"type": "MEDIA", "media_key": media_key},
        {"type": "DETAILS", "title": "40 books", "destination": destination},
    ]
    return card


def cards(account, image):
    @step("Card.save")
    def made():
        return plain(website(account, image).save())

    @step("Card.load", "Account.cards")
    def _():
        return plain(account.cards(made["id"]))

    @step("Card.save (loaded, changed)")
    def _():
        card = Card.load(account, made["id"])
        card.name = "Another name"
        return plain(card.save())

    @step("Card.all")
    def _():
        website(account, image, "Second").save()
        return sorted(each.name for each in Card.all(account, card_types="IMAGE_WEBSITE", count=1))

    @step("CardsFetch.load")
    def _():
        by_uri = [plain(each) for each in CardsFetch.load(account, card_uris=[made["card_uri"]])]
        return {"by_uri": by_uri, "same": by_uri[0] == plain(CardsFetch.load(account, card_id=made["id"]))}

    @step("PollCard.create")
    def poll():
        card = dict(name="Paper or screen", duration_in_minutes=1440, first_choice="Paper", second_choice="Screen")
        return plain(PollCard.create(account, **card))

    @step("PollCard.load", "PollCard.reload")
    def _():
        return plain(PollCard.load(account, poll["id"]).reload())

    @step("PollCard.all")
    def _():
        return [each.first_choice for each in PollCard.all(account)]

    @step("PollCard.delete", "PollCard.save (new)")
    def _():
        card = PollCard(account)
        card.name, card.duration_in_minutes, card.first_choice, card.second_choice = "Short", 5, "Yes", "No"
        card.save()
        card.delete()
        return card.deleted


def conversation_cards(account, image, video):
    for kind, media_key in ((ImageConversationCard, image), (VideoConversationCard, video)):
        name = kind.__name__

        @step(f"{name}.create")
        def made():
            content = dict(name="Reading", title="What will you read?", media_key=media_key)
            content.update(thank_you_text="Enjoy", first_cta="#autumnbooks", first_cta_tweet="A book #autumnbooks")
            return plain(kind.create(account, **content))

        @step(f"{name}.load", f"{name}.reload")
        def _():
            return plain(kind.load(account, made["id"]).reload())

        @step(f"{name}.save")
        def _():
            card = kind.load(account, made["id"])
            card.second_cta, card.second_cta_tweet = "#poems", "A poem a day #poems"
            card.third_cta, card.third_cta_tweet = "#novels", "Novels #novels"
            # The SDK misspells the fourth.
            card.fouth_cta, card.fouth_cta_tweet = "#comics", "Comics #comics"
            return plain(card.save())

        @step(f"{name}.all")
        def _():
            return [each.name for each in kind.all(account)]

        @step(f"{name}.delete")
        def _():
            card = kind.load(account, made["id"])
            card.delete()
            return card.deleted


def posts(account, image):
    @step("Tweet.create")
    def post():
        made = Tweet.create(account, text="A post of an advertiser", as_user_id=USER_ID, media_keys=[image], nullcast=True)
        return {name: made[name] for name in ("id_str", "text", "created_at") if name in made}

    @step("Tweets.all")
    def _():
        found = Tweets.all(account, tweet_ids=[post["id_str"]], tweet_type="PUBLISHED", timeline_type="ALL")
        return [{name: each[name] for name in ("id_str", "full_text", "nullcast") if name in each} for each in found]

    @step("TweetPreview.load")
    def _():
        found = TweetPreview.load(account, tweet_ids=[post["id_str"]], tweet_type="PUBLISHED")
        return [[each.tweet_id == str(post["id_str"]), each.preview.split(" ")[0]] for each in found]

    content = dict(text="Not said yet", as_user_id=USER_ID, media_keys=[image], nullcast=True)
    for kind, more in ((DraftTweet, {}), (ScheduledTweet, {"scheduled_at": "2027-06-01T20:00:00Z"})):
        name = kind.__name__

        @step(f"{name}.create")
        def made():
            return plain(kind.create(account, **content, **more))

        @step(f"{name}.load", f"{name}.reload")
        def _():
            return plain(kind.load(account, made["id"]).reload())

        @step(f"{name}.save")
        def _():
            loaded = kind.load(account, made["id"])
            loaded.text = "Said later"
            return plain(loaded.save())

        @step(f"{name}.save (new)")
        def _():
            new = kind(account)
            new.text, new.as_user_id, new.nullcast = "Another", USER_ID, True
            if more:
                new.scheduled_at = datetime(2027, 6, 1, 21, 0, 0)
            new.save()
            before = len([each for each in kind.all(account, count=1)])
            new.delete()
            return [before, len([each for each in kind.all(account)])]

        @step(f"{name}.all")
        def _():
            return [each.text for each in kind.all(account)]

        @step(f"{name}.delete")
        def _():
            loaded = kind.load(account, made["id"])
            loaded.delete()
            return len([each for each in kind.all(account)])

    @step("Account.scheduled_tweets")
    def _():
        return account.scheduled_tweets().count
