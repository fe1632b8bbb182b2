/** Worlds and their snapshots, as the control interface shows them. */
import { extended, object } from '../../wire/object.ts';
import { id, list, long, numericId, oneOf, text, time } from '../../wire/types.ts';

/** The id of the world that a server has without anybody creating it. */
export const DEFAULT_WORLD = 'default';

/** Ways in which a world can begin. */
export const origins = ['DEFAULT', 'DEMO', 'EMPTY', 'SEED', 'GENERATED', 'WORLD', 'SNAPSHOT', 'IMPORT'] as const;

/** The world that an operation works on. */
export const world_id = id().describe('The world: an id, or `default` for the one that the server always has.');

/** The snapshot that an operation works on. */
export const snapshot_id = id().describe('The snapshot.');

/** The members of `credentials.json`. */
export const WorldCredentials = object(() => ({
  base_url: text().describe('Authentication and data retrieval.'),
  ads_base_url: text().describe('The advertising interface.'),
  ads_sandbox_base_url: text().describe('Its sandbox.'),
  consumer_key: text().describe(
    'The API key of the app. It begins with the id of its world, which is how a request finds it.',
  ),
  consumer_secret: text().describe('The API secret of the app.'),
  access_token: text().describe('The access token of the user.'),
  access_token_secret: text().describe('Its secret.'),
  bearer_token: text().describe('The bearer token of the app.'),
  callback_url: text().describe('A callback URL of the app.'),
  user_id: numericId().describe('The user.'),
  screen_name: text().describe('The name of the user.'),
  password: text().describe('The password with which the user signs in.'),
  account_id: id().describe('The advertising account of the user.'),
  sandbox_account_id: id().describe('The sandbox account of the user.'),
  post_ids: list(numericId(), { min: 0, max: 10_000 }).describe('Public posts, the oldest first.'),
}));

/** A world. */
export const World = object(() => ({
  id: text().describe('The world. Credentials made in it begin with its id; those of the default world do not.'),
  name: text().describe('What it is called.'),
  state: oneOf(['OPEN', 'CLOSED']).describe('A world is open while it is used, and opened again by the next request.'),
  origin: oneOf(origins).describe('What it was made from.'),
  origin_id: text().nullable().describe('The world or snapshot that it was made from.'),
  seed: text().nullable().describe('What its ids and codes follow from; null where they cannot be foreseen.'),
  created_at: time().describe('When it was made, by the time of the machine.'),
  expires_at: time().nullable().describe('When it is deleted by itself, by the time of the machine.'),
  address_prefix: text({ min: 0 }).describe(
    'The path that addresses without a credential begin with, such as those of media and short links.',
  ),
}));

/** A world with what is needed to use it. */
export const WorldInUse = extended(World, () => ({
  credentials: WorldCredentials.nullable().describe(
    'The members of `credentials.json`; null for a world without the user of a demo.',
  ),
}));

/** The state of a world at one moment. */
export const Snapshot = object(() => ({
  id: text().describe('The snapshot.'),
  world_id: text().describe('The world that it was taken of.'),
  name: text().describe('What it is called.'),
  created_at: time().describe('When it was taken, by the time of the machine.'),
  bytes: long().describe('The size of its files; what the file system shares with the world counts too.'),
}));
