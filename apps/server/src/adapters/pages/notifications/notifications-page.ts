import type { Notification } from '../../../notifications/notification-store.ts';
import type { PostView } from '../../../post-view/post-view.ts';
import { href } from '../design/address.ts';
import { button, form, linkButton } from '../design/form.ts';
import { type Html, html } from '../design/html.ts';
import { icon } from '../design/icons.ts';
import { at, nameOf } from '../design/identity.ts';
import { layout, type SignedIn } from '../design/layout.ts';
import { sheet } from '../design/sheet.ts';
import { isolated, minuteOf } from '../design/words.ts';
import { paths } from '../paths.ts';
import { postArticle } from '../post/post.ts';
import { postStyle } from '../post/post-style.ts';

/** Content of the page of notifications. */
export interface NotificationsView {
  readonly reader: SignedIn;
  readonly notifications: readonly Notification[];
  /** From which the next page goes on. */
  readonly older: number | null;
  readonly isFirst: boolean;
}

/** Renders a page of the notifications of a person. */
export function notificationsPage({ reader, notifications, older, isFirst }: NotificationsView): string {
  const unread = reader.news?.unread ?? 0;
  const readAll = form(
    { action: paths.readNotifications, hidden: { csrf: reader.csrf } },
    button({ label: 'Mark all as read', emphasis: 'quiet' }),
  );
  return layout(
    { title: unread > 0 ? `Notifications (${unread} unread)` : 'Notifications', width: 'narrow', signed_in: reader },
    html`<div class="title open beside"><h1>Notifications</h1>${unread > 0 && readAll}</div>
${sheet(
  notifications.length === 0
    ? html`<p class="empty">${isFirst ? 'Nothing here yet. When somebody previews a draft post as you, it appears here.' : 'No older notifications.'}</p>`
    : html`<ul class="news-list" role="list">${notifications.map(item)}</ul>`,
)}
${(older !== null || !isFirst) && html`<nav class="pager" aria-label="Pages">${!isFirst && linkButton(paths.notifications, 'Newest')}${older !== null && linkButton(`${paths.notifications}?before=${older}`, 'Older notifications')}</nav>`}`,
  );
}

function item({ id, title, environment, account_id, created_ms, read_ms }: Notification): Html {
  const isUnread = read_ms === null;
  return html`<li class="news-item${isUnread && ' unread'}"><a${href(paths.notification(id))}>${isUnread && html`<span class="hidden">Unread: </span>`}<b>Preview of a draft</b>${titleOf(title)}</a><p class="small soft"><time datetime="${new Date(created_ms).toISOString()}">${minuteOf(created_ms)}</time> · ${environment === 'sandbox' && 'Sandbox '}<code>${account_id}</code></p></li>`;
}

function titleOf(title: string): Html {
  return title === '' ? html`<span class="soft">Without a text</span>` : html`<bdi>${title}</bdi>`;
}

/** Renders a timeline with a draft at its top, for the one person who was notified of it. */
export function draftPage(
  { draft, posts }: { readonly draft: PostView; readonly posts: readonly PostView[] },
  reader: SignedIn,
): string {
  const { author } = draft;
  return layout(
    { title: `Draft by ${isolated(author.name)}`, width: 'narrow', signed_in: reader, style: postStyle },
    html`${back}
<h1 class="hidden">Preview of a draft by ${nameOf(author.name)}</h1>
<div class="sheet feed"><section class="only" aria-labelledby="only"><h2 class="label" id="only">${icon('lock')}<span>Draft: only you see this</span></h2>${postArticle(draft, { key: 'draft' })}</section>
${posts.map((post, index) => postArticle(post, { key: `p${index + 1}` }))}</div>
<p class="small soft centre">${posts.length === 0 ? html`${at(author.screen_name)} has no posts that you can see.` : html`So it would look at the top of the timeline of ${at(author.screen_name)}.`}</p>`,
  );
}

/** Renders that a draft is not there any more. */
export function goneDraftPage({ title }: Notification, reader: SignedIn): string {
  return layout(
    { title: 'Draft not available', width: 'narrow', signed_in: reader, style: postStyle },
    html`${back}
${sheet(html`<h1>This draft is gone</h1><p>It has been deleted since it was previewed${title !== '' && html` (“<bdi>${title}</bdi>”)`}, or you have no access to its account any more.</p>`)}`,
  );
}

const back = html`<p class="back"><a${href(paths.notifications)}>${icon('back')}Notifications</a></p>`;
