"""The person who allows an app, in a browser that has no script: pages, forms and cookies."""

import re
from html.parser import HTMLParser
from urllib.parse import urljoin

import requests


class Forms(HTMLParser):
    """The forms of a page: their address, fields and buttons."""

    def __init__(self, page):
        super().__init__()
        self.forms = []
        self.text = []
        self.button = None
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        held = dict(attributes)
        if tag == "form":
            self.forms.append({"action": held.get("action", ""), "fields": {}, "labels": [], "types": {}, "button": None})
        elif tag == "input" and self.forms and held.get("name"):
            self.forms[-1]["fields"][held["name"]] = held.get("value", "")
            self.forms[-1]["types"][held.get("type", "text")] = held["name"]
        elif tag == "button" and self.forms:
            self.button = (held.get("name"), held.get("value", ""))

    def handle_endtag(self, tag):
        if tag == "button":
            self.button = None

    def handle_data(self, data):
        self.text.append(data)
        if self.button and re.match(r"\s*(sign in|log in|authorize|approve|allow)", data, re.IGNORECASE):
            self.forms[-1]["button"] = self.button


def allow(url, screen_name, password):
    """Signs in and allows the app. @returns the address that the browser is sent to, or the text of the last page"""
    browser = requests.Session()
    page = browser.get(url)
    for _ in range(4):
        forms = Forms(page.text)
        form = next((each for each in forms.forms if each["button"]), None)
        if form is None:
            return " ".join(" ".join(forms.text).split())
        fields = {name: form["fields"][name] for kind, name in form["types"].items() if kind == "hidden"}
        fields = {name: value for name, value in form["fields"].items() if name not in form["types"].values()} | fields
        if "password" in form["types"]:
            fields.update({form["types"]["text"]: screen_name, form["types"]["password"]: password})
        name, value = form["button"]
        if name:
            fields[name] = value
        origin = "/".join(page.url.split("/")[:3])
        answer = browser.post(
            urljoin(page.url, form["action"]), data=fields, headers={"origin": origin}, allow_redirects=False
        )
        location = answer.headers.get("location")
        if location and not urljoin(page.url, location).startswith(origin):
            return urljoin(page.url, location)
        page = browser.get(urljoin(page.url, location)) if location else answer
    raise RuntimeError(f"no end of forms: {page.url}")
