/** Pages of published posts and of people: whoever may see a post finds it here. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authorView } from '../../../post-view/author-view.ts';
import { hostOf, outwardUrl } from '../../../post-view/outward-url.ts';
import type { PostView } from '../../../post-view/post-view.ts';
import { publishedViews } from '../../../post-view/published.ts';
import type { TimelinePlace } from '../../../posts/shown-posts.ts';
import type { UserRow } from '../../../posts/store.ts';
import type { ErrorView } from '../closing-pages.ts';
import type { LayoutOptions } from '../design/layout.ts';
import { paths } from '../paths.ts';
import { PageError, type Person, type Visit } from '../visit.ts';
import { type ProfileView, postPage, timelinePage } from './post-pages.ts';

/** Posts on a page of a timeline. */
const PAGE = 20;

/** A post id that can exist. */
const POST_ID = /^[1-9]\d{0,18}$/;

const NO_POST: ErrorView = {
  status: 404,
  title: 'There is no such post',
  message: 'It has been deleted, or it was never there.',
};

const NO_PERSON: ErrorView = {
  status: 404,
  title: 'There is nobody of this name',
  message: 'No person of this platform has this screen name.',
};

const TAKEN_DOWN: ErrorView = {
  status: 404,
  title: 'This post was taken down',
  message: 'The operator of this platform has taken it down. Only its author sees it.',
};

function protectedPost(person: Person | undefined): ErrorView {
  return {
    status: 403,
    title: 'This post is protected',
    message: 'Only people whom its author has approved as followers see it.',
    hint: person ? undefined : 'If you are one of them, sign in and open the address again.',
  };
}

/** `GET /:screen_name/status/:id`, also with `/photo/:n` or `/video/:n` behind it. */
export async function showPost(visit: Visit): Promise<FastifyReply> {
  const { screen_name, id, '*': rest } = paramsOf(visit.request);
  if (!POST_ID.test(id) || (rest !== '' && !/^(?:photo|video)\/[1-9]\d?$/.test(rest))) throw new PageError(NO_POST);
  const person = await visit.person();
  const onlooker = { user_id: person?.user_id ?? null, baseUrl: visit.baseUrl };
  const [view] = await publishedViews(visit.world, [BigInt(id)], onlooker);
  if (view === 'protected') throw new PageError(protectedPost(person));
  if (view === 'taken_down') throw new PageError(TAKEN_DOWN);
  if (view === undefined || view === 'missing') throw new PageError(NO_POST);
  // A repost is named by who reposted it, like the address that leads to it.
  const owner = view.reposted_by ?? view.author;
  if (screen_name !== owner.screen_name || rest !== '') return visit.redirect(paths.post(owner.screen_name, id));
  return visit.publicPage(postPage(view, await readerOf(visit, person)), person);
}

/** `GET /:screen_name`. */
export async function showTimeline(visit: Visit): Promise<FastifyReply> {
  const { screen_name } = paramsOf(visit.request);
  const [row] = await visit.world.shown.named([screen_name]);
  if (!row) throw new PageError(NO_PERSON);
  if (screen_name !== row.username) return visit.redirect(paths.person(row.username));
  const person = await visit.person();
  const profile = profileOf(row, visit.baseUrl);
  const place = placeOf(visit.request);
  const found = (await maySee(visit, row, person)) ? await timeline(visit, row, place, person) : undefined;
  const view = {
    person: profile,
    posts: found?.posts ?? null,
    newer: found?.newer ?? null,
    older: found?.older ?? null,
  };
  return visit.publicPage(timelinePage(view, await readerOf(visit, person)), person);
}

interface Page {
  readonly posts: readonly PostView[];
  readonly newer: string | null;
  readonly older: string | null;
}

async function timeline(
  visit: Visit,
  { id }: UserRow,
  place: TimelinePlace | undefined,
  person: Person | undefined,
): Promise<Page> {
  const { world, baseUrl } = visit;
  const listed = await world.shown.timeline(BigInt(id), place, PAGE + 1);
  const isNewer = place?.direction === 'newer';
  const hasMore = listed.length > PAGE;
  // The one beyond the page is at the end that the reader goes to.
  const ids = !hasMore ? listed : isNewer ? listed.slice(1) : listed.slice(0, PAGE);
  const views = await publishedViews(world, ids, { user_id: person?.user_id ?? null, baseUrl });
  const posts = views.filter((view): view is PostView => typeof view === 'object');
  const first = ids[0];
  const last = ids.at(-1);
  const isEnd = ids.length === 0;
  return {
    posts,
    newer: first !== undefined && (isNewer ? hasMore : place !== undefined) ? `${first}` : null,
    older: isEnd || last === undefined ? null : isNewer || hasMore ? `${last}` : null,
  };
}

async function maySee({ world }: Visit, row: UserRow, person: Person | undefined): Promise<boolean> {
  if (!row.protected || person?.user_id === row.id) return true;
  if (!person) return false;
  return (await world.shown.followed(BigInt(person.user_id), [BigInt(row.id)])).has(BigInt(row.id));
}

function profileOf(row: UserRow, baseUrl: string): ProfileView {
  const url = row.url === null ? null : outwardUrl(row.url);
  const { post_count, following_count, followers_count } = row.public_metrics;
  return {
    ...authorView(row, baseUrl),
    description: row.description,
    location: row.location,
    site: url === null ? null : { url, host: hostOf(url) },
    created_at: row.created_at,
    posts: post_count,
    following: following_count,
    followers: followers_count,
  };
}

function placeOf({ query }: FastifyRequest): TimelinePlace | undefined {
  for (const direction of ['older', 'newer'] as const) {
    const value: unknown =
      typeof query === 'object' && query !== null ? Reflect.get(query, `${direction}_than`) : undefined;
    if (typeof value === 'string' && POST_ID.test(value)) return { direction, than: BigInt(value) };
  }
  return undefined;
}

async function readerOf(visit: Visit, person: Person | undefined): Promise<LayoutOptions['signed_in']> {
  return person && visit.reader(person);
}

function paramsOf({ params }: FastifyRequest): Readonly<Record<'screen_name' | 'id' | '*', string>> {
  const read = (name: string): string => {
    const value: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, name) : undefined;
    return typeof value === 'string' ? value : '';
  };
  return { screen_name: read('screen_name'), id: read('id'), '*': read('*') };
}
