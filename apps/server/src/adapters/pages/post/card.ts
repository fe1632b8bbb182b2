import type {
  AppView,
  CardView,
  DestinationView,
  LinkCardView,
  SlideView,
  WebsiteView,
} from '../../../post-view/card-view.ts';
import { outwardLink } from '../design/address.ts';
import { type Html, html } from '../design/html.ts';
import { icon } from '../design/icons.ts';
import { carousel } from './carousel.ts';
import { conversationCard } from './conversation.ts';
import { mediaItem, missingMedia } from './media.ts';
import { pollCard } from './poll.ts';

/** Renders a card. @param id start of the ids of its elements, unique on the page */
export function cardOf(card: CardView, id: string): Html {
  switch (card.kind) {
    case 'link':
      return linkCard(card, `${id}-c`);
    case 'conversation':
      return conversationCard(card, `${id}-c`);
    case 'poll':
      return pollCard(card, `${id}-c`);
  }
}

function linkCard({ slides, destination }: LinkCardView, id: string): Html {
  const [only, ...others] = slides;
  const media =
    only && others.length === 0
      ? slideOf(only, id)
      : carousel(
          slides.map((slide, index) => slideOf(slide, `${id}-${index + 1}`)),
          id,
        );
  return html`<div class="card" role="group" aria-label="Card">${slides.length > 0 && media}${destination && destinationOf(destination)}</div>`;
}

function slideOf({ media, destination }: SlideView, id: string): Html {
  return html`<div class="frame">${media ? mediaItem(media, `${id}-m`) : missingMedia}</div>${destination && destinationOf(destination)}`;
}

function destinationOf(destination: DestinationView): Html {
  return destination.kind === 'website' ? websiteOf(destination) : appOf(destination);
}

function websiteOf({ title, host, url }: WebsiteView): Html {
  const words = html`<span class="words"><bdi class="strong">${title}</bdi><span class="soft small" dir="ltr">${host}</span></span>`;
  if (url === null) return html`<div class="leads">${words}</div>`;
  return html`<a class="leads"${outwardLink(url)}>${words}${icon('outward')}</a>`;
}

function appOf({ label, stores, deep_links }: AppView): Html {
  return html`<div class="app"><div class="actions">${stores.map(
    ({ store, url }) => html`<a class="button"${outwardLink(url)}>${label}<span class="soft small">${store}</span></a>`,
  )}</div>${deep_links.length > 0 && html`<p class="soft small">With the app installed, it opens ${deep_links.map((address, index) => html`${index > 0 && ' or '}<code dir="ltr">${address}</code>`)}.</p>`}</div>`;
}
