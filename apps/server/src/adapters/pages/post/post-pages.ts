/** Pages of posts: one with a post to itself, the timeline of a person, and the preview inside of a frame. */
import type { AuthorView, PostView } from '../../../post-view/post-view.ts';
import { href, outwardLink } from '../design/address.ts';
import { htmlDocument } from '../design/document.ts';
import { linkButton } from '../design/form.ts';
import { type Html, html } from '../design/html.ts';
import { icon } from '../design/icons.ts';
import { at, nameOf } from '../design/identity.ts';
import { type LayoutOptions, layout } from '../design/layout.ts';
import { rows, sheet } from '../design/sheet.ts';
import { dayOf, isolated, numberOf } from '../design/words.ts';
import { paths } from '../paths.ts';
import { avatar, marksOf } from './author.ts';
import { postArticle } from './post.ts';
import { postStyle } from './post-style.ts';

/** The signed-in reader, if there is one. */
type Reader = LayoutOptions['signed_in'];

function titleOf({ author, text, time }: PostView): string {
  const kind = time.kind === 'published' ? 'Post' : time.kind === 'draft' ? 'Draft' : 'Scheduled post';
  const words = text
    .map((segment) => segment.text)
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
  const [start = '', more] = [Array.from(words).slice(0, 60).join(''), words.length > 60 ? '…' : ''];
  return `${kind} by ${isolated(author.name)}${words === '' ? '' : `: ${isolated(start + more)}`}`;
}

/** Renders the page of a published post. */
export function postPage(view: PostView, reader: Reader): string {
  return layout(
    { title: titleOf(view), width: 'narrow', signed_in: reader, style: postStyle, footnote: footnote(reader) },
    html`<h1 class="hidden">Post by ${nameOf(view.author.name)}</h1>
${sheet(postArticle(view, { large: true }))}`,
  );
}

/** Renders a post alone, for a frame in a page of another site. */
export function previewPage(view: PostView): string {
  return htmlDocument(
    { title: `${titleOf(view)} · Broadside`, style: postStyle, meta: { robots: 'noindex' }, newTabs: true },
    html`<div class="framed"><main id="main"><h1 class="hidden">Preview of a post by ${nameOf(view.author.name)}</h1>${sheet(postArticle(view))}</main></div>`,
  );
}

/** Renders why there is no preview, for a frame in a page of another site. */
export function previewProblemPage({ title, message }: { readonly title: string; readonly message: string }): string {
  return htmlDocument(
    { title: `${title} · Broadside`, style: postStyle, meta: { robots: 'noindex' }, newTabs: true },
    html`<div class="framed"><main id="main">${sheet(html`<h1>${title}</h1><p>${message}</p>`)}</main></div>`,
  );
}

/** A person, as their timeline introduces them. */
export interface ProfileView extends AuthorView {
  readonly description: string;
  readonly location: string | null;
  readonly site: { readonly host: string; readonly url: string } | null;
  /** In the wire format. */
  readonly created_at: string;
  readonly posts: number;
  readonly following: number;
  readonly followers: number;
}

/** A page of a timeline. */
export interface TimelineView {
  readonly person: ProfileView;
  /** Null when the posts are for approved followers only, and the reader is none. */
  readonly posts: readonly PostView[] | null;
  /** Ids from which the neighbouring pages go on. */
  readonly newer: string | null;
  readonly older: string | null;
}

/** Renders a page of the timeline of a person. */
export function timelinePage({ person, posts, newer, older }: TimelineView, reader: Reader): string {
  const path = paths.person(person.screen_name);
  return layout(
    {
      title: `${isolated(person.name)} (@${person.screen_name})`,
      width: 'narrow',
      signed_in: reader,
      style: postStyle,
      footnote: footnote(reader),
    },
    html`${sheet(introduction(person))}
<h2 class="hidden">Posts</h2>
${posts === null ? sheet(html`<p class="empty">These posts are protected: only approved followers of ${at(person.screen_name)} see them.</p>`) : feed(posts)}
${(newer !== null || older !== null) && html`<nav class="pager" aria-label="Pages">${newer !== null && linkButton(`${path}?newer_than=${newer}`, 'Newer posts')}${older !== null && linkButton(`${path}?older_than=${older}`, 'Older posts')}</nav>`}`,
  );
}

function feed(posts: readonly PostView[]): Html {
  if (posts.length === 0) return sheet(rows([], 'No posts here yet.'));
  return html`<div class="sheet feed">${posts.map((post, index) => postArticle(post, { key: `p${index + 1}` }))}</div>`;
}

function introduction(person: ProfileView): Html {
  const { description, location, site, created_at, posts, following, followers } = person;
  return html`<div class="profile"><div class="by">${avatar(person)}<div class="names"><h1>${nameOf(person.name)}${marksOf(person)}</h1><span class="handle">${at(person.screen_name)}</span></div></div>
${description !== '' && html`<p dir="auto">${description}</p>`}
<div class="facts-line small">${location !== null && html`<span>${icon('place')}<bdi>${location}</bdi></span>`}${site && html`<a dir="ltr"${outwardLink(site.url)}>${icon('outward')}${site.host}</a>`}<span>${icon('calendar')}<span>Joined <time datetime="${created_at}">${dayOf(created_at)}</time></span></span></div>
<div class="facts-line small"><span><b>${numberOf(posts)}</b> ${posts === 1 ? 'post' : 'posts'}</span><span><b>${numberOf(following)}</b> following</span><span><b>${numberOf(followers)}</b> ${followers === 1 ? 'follower' : 'followers'}</span></div></div>`;
}

function footnote(reader: Reader): Html | undefined {
  return reader ? undefined : html`<a${href(paths.signIn)}>Sign in</a>`;
}
