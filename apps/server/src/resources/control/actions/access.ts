/** Ends access: tokens, apps that were approved, and sessions. */
import type { RevokedToken } from '../../../identity/access-tokens.ts';
import type { HandlersOf, Rejecting } from '../../../pipeline/context.ts';
import { findApp } from '../../operator/find.ts';
import type { ActionsContract } from './contract.ts';
import { needed } from './needed.ts';
import type { Changed } from './outcome.ts';

type Access = Pick<HandlersOf<ActionsContract>, 'revoke' | 'expire_sessions'>;
type AccessContext = Parameters<Access['revoke']>[0];

function showToken({ id, ...after }: RevokedToken): Changed {
  return { entity: 'ACCESS_TOKEN', id, after };
}

async function requireUser(
  { world, reject }: Pick<AccessContext, 'world'> & Rejecting<'NOT_FOUND'>,
  user_id: string,
): Promise<void> {
  if (await world.identity.users.get(user_id)) return;
  const message = `There is no user ${user_id}`;
  throw reject.error({ error: 'NOT_FOUND', parameter: 'user_id', value: user_id, message });
}

async function revokeAccess(context: AccessContext, consumer_key: string, user_id?: string): Promise<Changed[]> {
  const { actor, world } = context;
  const { id } = await findApp(context, consumer_key);
  if (user_id !== undefined) await requireUser(context, user_id);
  const tokens = await world.identity.tokens.revokeAccess(actor, id, user_id);
  const changed = tokens.map(showToken);
  const isBearerGone = user_id === undefined && (await world.bearerTokens.invalidateOf(actor, id));
  return isBearerGone ? [...changed, { entity: 'BEARER_TOKEN', id, after: { app_id: id, revoked: true } }] : changed;
}

/** Actions that end access. */
export const access: Access = {
  async revoke(context, { access_token, consumer_key, user_id }) {
    const { actor, reject, world } = context;
    if (consumer_key !== undefined) return { changed: await revokeAccess(context, consumer_key, user_id) };
    if (user_id !== undefined) {
      const message = '"user_id" needs "consumer_key": the access of which app is to end?';
      throw reject.error({ error: 'INCLUSIVE_PARAMETERS', parameter: 'user_id', value: user_id, message });
    }
    if (access_token === undefined) throw reject.error(needed('access_token', 'without consumer_key'));
    const revoked = await world.identity.tokens.revoke(actor, access_token);
    if (revoked) return { changed: [showToken(revoked)] };
    // The token is not repeated in an error: with its secret it grants access.
    throw reject.error({ error: 'NOT_FOUND', parameter: 'access_token', message: 'There is no such valid token' });
  },

  async expire_sessions(context, { user_id }) {
    await requireUser(context, user_id);
    const ended = await context.world.sessions.endAll(user_id);
    return { changed: [{ entity: 'SESSION', id: user_id, after: { user_id, ended } }] };
  },
};
