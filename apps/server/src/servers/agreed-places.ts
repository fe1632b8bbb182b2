/** Where a platform has what is not in its stores: bytes of media, and members of audiences. All servers have to agree on it. */
import { hostname } from 'node:os';
import { parseS3Location } from '../media/blobs/s3-location.ts';
import { findWorkerAddress } from '../workers/worker-address.ts';
import type { WorldOptions } from '../world/world-options.ts';
import { FIRST_PLACE } from './audience-places.ts';
import { SeveralServersError } from './errors.ts';
import type { Leases } from './leases.ts';
import { leaseOf } from './members-lease.ts';
import { directoryId } from './place.ts';
import type { PlatformFacts } from './platform-facts.ts';

/** A place, as the store keeps it. */
interface Place {
  /** Equal for equal places. */
  readonly id: string;
  /** As the end of a sentence, for people. */
  readonly where: string;
}

const MEDIA = 'media';
const MEMBERS = leaseOf(FIRST_PLACE);

/** What a process agrees by. */
export interface AgreeingServices {
  readonly facts: PlatformFacts;
  readonly leases: Pick<Leases, 'isHeld'>;
}

/** What says where a process has them. */
export type PlacesOptions = Pick<WorldOptions, 'dataDirectory' | 'media'>;

/** Where members of audiences are, for one process. */
export interface AgreedMembers {
  /** The place that it keeps, see `audience-places.ts`. */
  readonly place?: string;
  /** Where they are, as the end of a sentence, if it keeps none. */
  readonly elsewhere?: string;
}

/**
 * Rejects servers that share a platform and would each have media of their own. To be called before anything is opened.
 * @throws SeveralServersError
 */
export function checkMediaOf({ serving, media }: Pick<WorldOptions, 'serving' | 'media'>): void {
  if (!serving?.shares || media !== undefined) return;
  throw new SeveralServersError(
    'The media would be files in the data directory of this server, where the others of its platform (BROADSIDE_SHARED_URL) do not find them: set BROADSIDE_MEDIA_URL, or BROADSIDE_MEDIA_SHARED_DIRECTORY to a directory that all of them have mounted.',
  );
}

/**
 * Agrees with the other processes on both places.
 * @returns where the members of audiences are
 * @throws SeveralServersError
 */
export async function agreeOnPlaces(options: WorldOptions, services: AgreeingServices): Promise<AgreedMembers> {
  const areMediaMoved = await agreeOnMedia(options, services.facts);
  return agreeOnMembers(options, services, areMediaMoved);
}

/**
 * Holds the place of this process for media against that of the platform, which the first process has decided.
 * @returns whether this one is decided from now on, since a loss is accepted
 * @throws SeveralServersError if it is another one, and no loss is accepted
 */
async function agreeOnMedia(options: WorldOptions, facts: PlatformFacts): Promise<boolean> {
  const own = mediaPlace(options);
  const agreed = await agree(MEDIA, own, facts);
  if (agreed.id === own.id) return false;
  if (options.acceptLoss) {
    await facts.put(MEDIA, JSON.stringify(own));
    options.onPlaceChange?.(`The media of this platform were ${agreed.where}, and are ${own.where} from now on.`);
    return true;
  }
  throw new SeveralServersError(
    `The media of this platform are ${agreed.where}, but here they would be ${own.where}: set BROADSIDE_MEDIA_URL or BROADSIDE_MEDIA_SHARED_DIRECTORY as its other servers have it, or, once the media have been copied, BROADSIDE_ACCEPT_LOSS=1 for one start.`,
  );
}

/**
 * Finds out which members of audiences a process keeps: all, if it is on the data directory of the server that was the first to serve; those of
 * some audiences, if it is a worker on another one that was told to keep some, now or before.
 * @param areMediaMoved the loss that is accepted was that of media, see {@link isBeginning}
 * @throws SeveralServersError
 */
async function agreeOnMembers(
  options: WorldOptions,
  services: AgreeingServices,
  areMediaMoved: boolean,
): Promise<AgreedMembers> {
  const { facts } = services;
  const own = serverPlace(options);
  const { serving } = options;
  if (!serving) return commandPlace(await facts.find(MEMBERS), own);
  const { role = 'all', keepsMembers = false } = serving;
  const place = directoryId(options.dataDirectory);
  const keptHere = (await facts.find(leaseOf(place))) !== undefined;
  if (role !== 'worker' && keptHere) throw keptHereError(own);
  if (role === 'server') return { elsewhere: notHere(await facts.find(MEMBERS), own) };
  if (keptHere) return { place };
  const agreed = await agree(MEMBERS, own, facts);
  if (agreed.id === own.id) {
    if (role === 'worker' || !(await facts.hasOf(MEMBERS))) return { place: FIRST_PLACE };
    throw keptHereError(own);
  }
  if (role === 'all') return { elsewhere: agreed.where };
  const isRefused = (await findWorkerAddress(facts)) === undefined;
  if (await isBeginning(options, services, isRefused || !areMediaMoved)) {
    await facts.put(MEMBERS, JSON.stringify(own));
    options.onPlaceChange?.(
      `The members of audiences of this platform were ${agreed.where}, and are ${own.where} from now on.`,
    );
    return { place: FIRST_PLACE };
  }
  // A further worker shares people with the one that keeps members, which has to be one that others can ask.
  if (isRefused) {
    throw new SeveralServersError(
      `The members of audiences are ${agreed.where}: start the worker on that data directory or a copy of it, or, to begin here without them, stop all servers and set BROADSIDE_ACCEPT_LOSS=1 for one start.`,
    );
  }
  if (!keepsMembers) return { elsewhere: agreed.where };
  // Before anything is kept here: from now on this directory is what has it, whatever is set.
  await facts.put(leaseOf(place), JSON.stringify(own));
  return { place };
}

/** What a platform has to say of its media and members once they have been put where a process of these options has them, by fact. */
export function factsOfPlaces(options: PlacesOptions): Readonly<Record<string, string>> {
  return { [MEDIA]: JSON.stringify(mediaPlace(options)), [MEMBERS]: JSON.stringify(serverPlace(options)) };
}

function commandPlace(known: string | undefined, own: Place): AgreedMembers {
  if (known === undefined) return { elsewhere: 'kept by the first server that is started' };
  const agreed = read(known);
  return agreed.id === own.id ? { place: FIRST_PLACE } : { elsewhere: agreed.where };
}

/** @returns where they are, for a server that never keeps them @throws SeveralServersError if it does */
function notHere(known: string | undefined, own: Place): string {
  if (known === undefined) return 'kept by a worker, of which none has been started yet';
  const agreed = read(known);
  if (agreed.id !== own.id) return agreed.where;
  throw keptHereError(own);
}

function keptHereError(own: Place): SeveralServersError {
  return new SeveralServersError(
    `The members of audiences are ${own.where}: start it with BROADSIDE_ROLE=worker, or copy the directory, start the worker on the copy, and remove server.id and members here.`,
  );
}

/**
 * Whether a worker begins to keep members on a directory that has none, in place of one that is lost: a loss is accepted, it is not explained by
 * something else, and nobody keeps members at the moment.
 */
async function isBeginning(
  { acceptLoss, serving }: WorldOptions,
  { leases }: AgreeingServices,
  isAbout: boolean,
): Promise<boolean> {
  if (!acceptLoss || !isAbout || serving?.keepsMembers) return false;
  return !(await leases.isHeld(MEMBERS));
}

async function agree(name: string, own: Place, facts: PlatformFacts): Promise<Place> {
  return read(await facts.agree(name, JSON.stringify(own)));
}

function read(text: string): Place {
  const { id, where } = JSON.parse(text);
  return { id: String(id), where: String(where) };
}

function mediaPlace(options: PlacesOptions): Place {
  const { media } = options;
  if (media === undefined) return serverPlace(options);
  if ('directory' in media) {
    return { id: `directory ${directoryId(media.directory)}`, where: `in the shared directory ${media.directory}` };
  }
  const { baseUrl, prefix } = parseS3Location(media.url);
  const objects = `${baseUrl}/${prefix}`;
  return { id: `objects ${objects}`, where: `in the object store ${objects}` };
}

function serverPlace({ dataDirectory }: PlacesOptions): Place {
  return {
    id: `server ${directoryId(dataDirectory)}`,
    where: `in the data directory ${dataDirectory} of ${hostname()}`,
  };
}
