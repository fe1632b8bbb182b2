/** Worlds as the control interface shows them. */
import { type ControlContract, formatTimestamp, type OutcomeOf } from '@broadside/core';
import type { HostContext } from '../../pipeline/context.ts';
import { addressPrefixOf, type ListedWorld } from '../../worlds/world-host.ts';

type Worlds = ControlContract['control']['worlds'];

/** A world. */
export function shown(world: ListedWorld): OutcomeOf<Worlds['list']>[number] {
  const { id, name, origin, origin_id, seed, created_ms, expires_ms, isOpen } = world;
  return {
    id,
    name,
    state: isOpen ? 'OPEN' : 'CLOSED',
    origin,
    origin_id,
    seed,
    created_at: formatTimestamp(created_ms),
    expires_at: expires_ms === null ? null : formatTimestamp(expires_ms),
    address_prefix: addressPrefixOf(id),
  };
}

/** A world with its credentials. */
export function inUse(host: HostContext['host'], world: ListedWorld): OutcomeOf<Worlds['get']> {
  const credentials = host.credentialsOf(world.id);
  return {
    ...shown(world),
    credentials: credentials ? { ...credentials, post_ids: [...credentials.post_ids] } : null,
  };
}
