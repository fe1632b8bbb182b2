/** The pages for people, on the authentication listener. Each route is short; its behaviour is in a file of its own. */
import { allPages, type PageOperation } from '@broadside/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SignInThrottle } from '../../auth/sign-in-throttle.ts';
import { storageFailure } from '../../db/storage-failure.ts';
import type { Services } from '../../pipeline/execute.ts';
import { isConfidential } from '../../pipeline/verify-caller.ts';
import { PREVIEW_PATH } from '../../post-view/preview-address.ts';
import { SharedStateError } from '../../shared/shared-state.ts';
import { inWorld, leavesWorld } from '../in-world.ts';
import { routedMethods } from '../rest/routes.ts';
import { decideAuthorization, showAuthorization } from './authorization.ts';
import type { ErrorView } from './closing-pages.ts';
import { credentialOf } from './credential-of.ts';
import { forEachWorld } from './for-each-world.ts';
import { EventStreams } from './notifications/event-streams.ts';
import { readAll, showNotification, showNotifications, streamNotifications } from './notifications/notifications.ts';
import { paths } from './paths.ts';
import { showPreview } from './post/preview.ts';
import { showPost, showTimeline } from './post/show.ts';
import {
  changeApp,
  changeIdentifiers,
  type PersonalRoute,
  personally,
  regenerateKeys,
  revokeApproval,
  revokeBearer,
  showApp,
  showSettings,
} from './settings.ts';
import { showSignIn, signIn, signOut } from './sign-in.ts';
import { PageError, Visit } from './visit.ts';

/** Dependencies of the page routes. */
export interface PagesOptions {
  readonly services: Services;
  /** The public base URL for a request. */
  readonly baseUrlOf: (request: FastifyRequest) => string;
}

type Route = (visit: Visit) => Promise<FastifyReply>;

/** Handles unexpected errors. */
const FAILED: ErrorView = {
  status: 500,
  title: 'Something went wrong',
  message: 'The server failed to handle this. Nothing that you did was wrong.',
  hint: 'Try again in a moment. If it stays so, tell the operator of this platform.',
};

/** Handles failures of the disk. */
const UNAVAILABLE: ErrorView = {
  status: 503,
  title: 'Not at the moment',
  message: 'The server cannot store anything at the moment. Nothing was changed.',
  hint: 'Try again in a few minutes.',
};

const INSECURE: ErrorView = {
  status: 403,
  title: 'This page needs HTTPS',
  message: 'Your password would cross the network in the clear, so nothing is asked here.',
  hint: 'Open the address with https. The operator sets the public address with BROADSIDE_BASE_URL.',
};

const TOO_MANY: ErrorView = {
  status: 429,
  title: 'Too many requests',
  message: 'This page was opened too often from your network. Wait a few minutes, then try again.',
};

const NO_WORLD: ErrorView = {
  status: 404,
  title: 'There is no such world',
  message: 'The world that this address belongs to has been deleted.',
};

/** Adds the pages. */
export function registerPages(app: FastifyInstance, options: PagesOptions): void {
  const streamsOf = forEachWorld((world) => {
    const streams = new EventStreams(world);
    // Browsers open them again, in the world that is there then.
    world.onClose(() => streams.close());
    return streams;
  });
  app.addHook('preClose', async () => {
    for (const streams of streamsOf.made()) streams.close();
  });
  const throttleOf = forEachWorld(({ wallClock, shared }) => shared?.throttle ?? new SignInThrottle(wallClock));
  // In a scope of its own, so that errors are rendered as a page.
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      const visit = visitOf(options, request, reply);
      if (error instanceof PageError) return visit.reject(error.view);
      const status = statusOf(error);
      if (status !== undefined) {
        return visit.reject({ status, title: 'This request cannot be read', message: 'It is too large or malformed.' });
      }
      if (storageFailure(error) !== undefined || error instanceof SharedStateError) return visit.reject(UNAVAILABLE);
      request.log.error({ err: error, request: request.id }, 'a page failed unexpectedly');
      return visit.reject(FAILED);
    });
    const open = (method: 'GET' | 'POST', url: string, run: Route) =>
      scope.route({
        method: routedMethods(method),
        url,
        onSend: leavesWorld,
        handler: (request, reply) =>
          inWorld(
            options.services,
            request,
            credentialOf(request),
            (services) => run(visitOf({ ...options, services }, request, reply)),
            () => visitOf(options, request, reply).reject(NO_WORLD),
          ),
      });
    const route = (method: 'GET' | 'POST', url: string, run: Route) =>
      open(method, url, async (visit) => {
        if (options.services.mode === 'production' && !isConfidential(visit.baseUrl)) return visit.reject(INSECURE);
        return run(visit);
      });
    const personal = (method: 'GET' | 'POST', url: string, run: PersonalRoute) =>
      route(method, url, (visit) => personally(visit, run));

    for (const page of allPages) {
      route(
        'GET',
        page.http.path,
        async (visit) => (await count(options, visit, page)) ?? showAuthorization(visit, page),
      );
      route(
        'POST',
        page.http.path,
        async (visit) =>
          (await count(options, visit, page)) ?? decideAuthorization(visit, page, throttleOf(visit.world)),
      );
    }
    route('GET', paths.signIn, showSignIn);
    route('POST', paths.signIn, (visit) => signIn(visit, throttleOf(visit.world)));
    route('POST', paths.signOut, async (visit) => {
      const person = await visit.person();
      const reply = await signOut(visit);
      if (person) streamsOf(visit.world).endSession(person.session);
      return reply;
    });
    route('GET', '/', async (visit) => visit.redirect(paths.settings));
    route('GET', paths.newsScript, async (visit) => visit.script());
    route('GET', paths.notificationEvents, (visit) => streamNotifications(visit, streamsOf(visit.world)));
    personal('GET', paths.notifications, showNotifications);
    personal('POST', paths.readNotifications, readAll);
    personal('GET', '/notifications/:id', showNotification);
    personal('GET', paths.settings, showSettings);
    personal('POST', paths.identifiers, changeIdentifiers);
    personal('POST', paths.revoke, revokeApproval);
    personal('GET', '/settings/apps/:id', showApp);
    personal('POST', '/settings/apps/:id', changeApp);
    personal('POST', '/settings/apps/:id/keys', regenerateKeys);
    personal('POST', '/settings/apps/:id/bearer', revokeBearer);
    open('GET', PREVIEW_PATH, showPreview);
    // Every fixed path of this listener wins over a name. They ask for nothing, so they need no HTTPS.
    open('GET', '/:screen_name(^\\w{1,15}$)', showTimeline);
    open('GET', '/:screen_name(^\\w{1,15}$)/status/:id', showPost);
    open('GET', '/:screen_name(^\\w{1,15}$)/status/:id/*', showPost);
  });
}

function visitOf({ services, baseUrlOf }: PagesOptions, request: FastifyRequest, reply: FastifyReply): Visit {
  // Its world may be known by a cookie only.
  reply.logged ??= { journal: services.journal };
  return new Visit(services.world, request, reply, baseUrlOf(request), services.addressPrefix);
}

function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  const own = error instanceof Error && 'status' in error ? error.status : status;
  return typeof own === 'number' && own >= 400 && own < 500 ? own : undefined;
}

/** Response to a client that opens pages too often from one address. */
async function count({ services }: PagesOptions, visit: Visit, page: PageOperation): Promise<FastifyReply | undefined> {
  const states = await services.limiter.count(page, `a${visit.address}`, undefined, false);
  return states?.user.exceeded ? visit.reject(TOO_MANY, states.user.retry_after) : undefined;
}
