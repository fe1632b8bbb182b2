"""Drives the advertising SDK (PyPI: twitter-ads) over every resource that it offers."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import audiences
import campaigns
import creatives
from entities import client, offered
from steps import ENVIRONMENT, finish, methods_of, offer
from twitter_ads.account import Account

offer(f"{name}.{method}" for name, kind in offered().items() for method in methods_of(kind))
account_id, other_account_id, *_ = ENVIRONMENT["accounts"]
account = Account.load(client(), account_id)
funding_id = campaigns.drive(account)
creatives.drive(account, funding_id)
audiences.drive(account, other_account_id)
audiences.errors(account)
finish()
