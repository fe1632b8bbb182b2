import type { PostCore, PostView } from '../../../post-view/post-view.ts';
import { href, outwardLink } from '../design/address.ts';
import { type Html, html } from '../design/html.ts';
import { icon } from '../design/icons.ts';
import { at, nameOf } from '../design/identity.ts';
import { notice } from '../design/notice.ts';
import { minuteOf, numberOf } from '../design/words.ts';
import { paths } from '../paths.ts';
import { byline } from './author.ts';
import { cardOf } from './card.ts';
import { mediaGrid } from './media.ts';
import { hasText, textOf } from './text.ts';

/** The place of a post on a page. */
interface PostOptions {
  /** For a post that has the page to itself. */
  readonly large?: boolean;
  /** Start of the ids of its elements, unique on the page. */
  readonly key?: string;
}

/** Renders a post. */
export function postArticle(view: PostView, { large = false, key = 'p' }: PostOptions = {}): Html {
  return html`<article class="post${large && ' large'}" aria-label="${nameForReaders(view)}">
${view.reposted_by && html`<p class="above">${icon('repost')}<span>Reposted by <a${href(paths.person(view.reposted_by.screen_name))}>${nameOf(view.reposted_by.name)}</a></span></p>`}
${view.taken_down !== null && notice('warning', html`<p>The operator of this platform has taken this post down. Only you see it.</p><p dir="auto">${view.taken_down}</p>`)}
${byline(view.author)}
${body(view, key)}
${view.quoted !== null && quotedPost(view.quoted, key)}
${foot(view)}
</article>`;
}

function nameForReaders({ author, time }: PostCore): string {
  const kind = time.kind === 'published' ? 'Post' : time.kind === 'draft' ? 'Draft' : 'Scheduled post';
  return `${kind} by ${author.name}`;
}

function body(view: PostCore, id: string): Html {
  const { reply_to, text, lang, media, card } = view;
  return html`${reply_to && replyLine(reply_to)}
${hasText(text) && textOf(text, lang)}
${mediaGrid(media, id)}
${callToAction(view)}
${card && cardOf(card, id)}`;
}

function replyLine({ id, screen_name }: NonNullable<PostCore['reply_to']>): Html {
  if (screen_name === null) return html`<p class="above">${icon('reply')}<span>A reply</span></p>`;
  return html`<p class="above">${icon('reply')}<span>Replying to <a${href(paths.post(screen_name, id))}>${at(screen_name)}</a></span></p>`;
}

function callToAction({ call_to_action }: PostCore): Html | undefined {
  if (!call_to_action) return undefined;
  const { title, description, action } = call_to_action;
  return html`<div class="cta">${(title !== null || description !== null) && html`<div class="words">${title !== null && html`<p class="strong" dir="auto">${title}</p>`}${description !== null && html`<p class="soft small" dir="auto">${description}</p>`}</div>`}${
    action && html`<a class="button"${outwardLink(action.url)}>${action.label}${icon('outward')}</a>`
  }</div>`;
}

function quotedPost(quoted: PostCore | 'unavailable', id: string): Html {
  if (quoted === 'unavailable') return html`<p class="quoted gone">This post is not available.</p>`;
  return html`<blockquote class="quoted">${byline(quoted.author)}${body(quoted, `${id}-q`)}<p class="when"><a${href(paths.post(quoted.author.screen_name, quoted.id))}><span class="hidden">Quoted post, </span>${timeOf(quoted)}</a></p></blockquote>`;
}

function timeOf({ time }: PostCore): Html {
  if (time.kind === 'draft') return html`Draft`;
  const stamp = html`<time datetime="${new Date(time.at_ms).toISOString()}">${minuteOf(time.at_ms)}</time>`;
  return time.kind === 'scheduled' ? html`<span>Scheduled for ${stamp}</span>` : stamp;
}

function foot(view: PostView): Html {
  const { promoted, time, author, id, counts } = view;
  const stamp =
    time.kind === 'published'
      ? html`<a${href(paths.post(author.screen_name, id))}><span class="hidden">Post by ${nameOf(author.name)}, </span>${timeOf(view)}</a>`
      : timeOf(view);
  return html`<footer class="below"><p class="when">${stamp}${promoted && html`<span class="promoted">${icon('promoted')}Promoted</span>`}</p>${
    counts &&
    html`<ul class="counts" role="list">${[
      count('reply', counts.replies, 'reply', 'replies'),
      count('repost', counts.reposts, 'repost', 'reposts'),
      count('quote', counts.quotes, 'quote', 'quotes'),
      count('like', counts.likes, 'like', 'likes'),
    ]}</ul>`
  }</footer>`;
}

function count(sign: 'reply' | 'repost' | 'quote' | 'like', number: number, one: string, many: string): Html {
  return html`<li>${icon(sign)}<span>${numberOf(number)}<span class="hidden"> ${number === 1 ? one : many}</span></span></li>`;
}
