import type { CallView, ConversationCardView } from '../../../post-view/card-view.ts';
import { outwardLink } from '../design/address.ts';
import { type Html, html } from '../design/html.ts';
import { icon } from '../design/icons.ts';
import { mediaItem, missingMedia } from './media.ts';

/** Renders a card that invites people to post. Its buttons do nothing here: each unfolds what a person who presses it posts. */
export function conversationCard({ media, title, calls, thanks }: ConversationCardView, id: string): Html {
  return html`<div class="card conversation" role="group" aria-label="Card"><div class="frame">${media ? mediaItem(media, `${id}-m`) : missingMedia}</div>
<div class="invites">${title !== null && html`<p class="strong" dir="auto">${title}</p>`}
${calls.map((call) => callOf(call, id))}
<details class="thanks"><summary>After posting</summary><div class="inside"><p class="strong" dir="auto">${thanks.text}</p>${thanks.unlocked.map(
    (item, index) => html`<div class="frame">${mediaItem(item, `${id}-u${index + 1}`)}</div>`,
  )}${thanks.link && html`<p><a dir="ltr"${outwardLink(thanks.link.url)}>${thanks.link.host}</a></p>`}</div></details></div></div>`;
}

function callOf({ tag, post }: CallView, id: string): Html {
  return html`<details class="call" name="${id}-calls"><summary class="button">${icon('reply')}<span>Post <bdi>${tag}</bdi></span></summary><div class="inside"><p class="soft small">A person who chooses this posts:</p><blockquote class="proposed" dir="auto">${post}</blockquote></div></details>`;
}
