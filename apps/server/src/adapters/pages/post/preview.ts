/** Previews of posts inside of frames, for whoever holds their address. */
import type { FastifyReply } from 'fastify';
import type { PostView } from '../../../post-view/post-view.ts';
import { type PreviewedPost, readPreview } from '../../../post-view/preview-address.ts';
import { publishedViews } from '../../../post-view/published.ts';
import { type Unpublished, unpublishedView } from '../../../post-view/unpublished.ts';
import { draftsById } from '../../../resources/draft-posts/find.ts';
import { scheduledById } from '../../../resources/scheduled-posts/find.ts';
import type { Visit } from '../visit.ts';
import { previewPage, previewProblemPage } from './post-pages.ts';

const FORGED = {
  title: 'This is not a preview',
  message: 'The address was not made by this platform, or has been changed since.',
};
const EXPIRED = {
  title: 'This preview has expired',
  message: 'A preview can be seen for 24 hours. Ask for the previews of the post again.',
};
const GONE = { title: 'This post is gone', message: 'It has been deleted since its preview was made.' };

/** `GET /previews`. Frames of other sites show it, so its errors can be framed too. */
export async function showPreview(visit: Visit): Promise<FastifyReply> {
  const { world } = visit;
  const previewed = readPreview(world.platformKey, dataOf(visit.request.query));
  if (!previewed) return visit.framed(previewProblemPage(FORGED), '*', 403);
  const sites = await sitesOf(visit, previewed);
  if (world.clock.now() >= previewed.expires_ms) return visit.framed(previewProblemPage(EXPIRED), sites, 410);
  const view = await viewOf(visit, previewed);
  if (!view) return visit.framed(previewProblemPage(GONE), sites, 410);
  return visit.framed(previewPage(view), sites);
}

function dataOf(query: unknown): string {
  const data: unknown = typeof query === 'object' && query !== null ? Reflect.get(query, 'data') : undefined;
  return typeof data === 'string' ? data : '';
}

/** The sites that may frame a preview: those that the app lists at present, or any. */
async function sitesOf({ world }: Visit, { app_id }: PreviewedPost): Promise<readonly string[] | '*'> {
  const app = app_id === null ? undefined : await world.identity.apps.get(app_id);
  return app && app.frame_origins.length > 0 ? app.frame_origins : '*';
}

async function viewOf({ world, baseUrl }: Visit, previewed: PreviewedPost): Promise<PostView | undefined> {
  const { post_type, post_id: id, environment, account_id } = previewed;
  if (post_type === 'PUBLISHED') {
    const [view] = await publishedViews(world, [BigInt(id)], { user_id: null, baseUrl, trusted: true });
    return typeof view === 'object' ? view : undefined;
  }
  const account = world.ads[environment].account(account_id);
  const content = await (post_type === 'DRAFT' ? draftOf : scheduledOf)(account, id);
  return content && unpublishedView(world, { ...content, environment, account_id }, baseUrl);
}

type Account = Parameters<typeof draftsById>[0];
type Content = Omit<Unpublished, 'environment' | 'account_id'>;

async function draftOf(account: Account, id: string): Promise<Content | undefined> {
  const draft = (await draftsById(account, [id])).get(id);
  return draft && { ...draft, time: { kind: 'draft' } };
}

async function scheduledOf(account: Account, id: string): Promise<Content | undefined> {
  const scheduled = (await scheduledById(account, [id])).get(id);
  return scheduled && { ...scheduled, time: { kind: 'scheduled', at_ms: Date.parse(scheduled.scheduled_at) } };
}
