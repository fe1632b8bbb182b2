/** E-mail addresses, telephone numbers and devices of generated people: of reserved domains and numbers, so that they are nobody's. */
import type { PersonIdentifiers, PersonTraits } from '@broadside/core/resources/users';
import type { Seed, Stream } from './stream.ts';

const DOMAINS = ['example.com', 'example.org', 'example.net'];

/** North American area codes begin with 2 to 9. */
const FIRST_AREA = 200;
const AREAS = 800;
/** Lines 0100 to 0199 of exchange 555 are reserved for fiction; the others are taken when these are used up. */
const FIRST_LINE = 100;
const LINES = 9900;

/** Targeting values of platforms whose devices have ids. */
const IOS = '0';
const ANDROID = '1';

/**
 * Generates the identifiers of a person. No two people of a run have one in common.
 * @param user the number of the person in the run
 */
export function identifiersFor(
  seed: Seed,
  user: number,
  { screen_name, platforms = [] }: { readonly screen_name: string } & Pick<PersonTraits, 'platforms'>,
): PersonIdentifiers {
  const stream = seed.stream('identifiers', user);
  const name = screen_name.toLowerCase();
  // Screen names have no dots and no plus signs, so that addresses are as unique as names.
  const mailbox = stream.chance(0.4) ? name.replaceAll('_', '.') : name;
  const email = `${mailbox}${stream.chance(0.05) ? '+posts' : ''}@${stream.pick(DOMAINS)}`;
  return { email, phone_numbers: phoneNumbersOf(stream, user), devices: devicesOf(stream, platforms) };
}

function phoneNumbersOf(stream: Stream, user: number): string[] {
  if (!stream.chance(0.8)) return [];
  const area = FIRST_AREA + (user % AREAS);
  const line = FIRST_LINE + (Math.floor(user / AREAS) % LINES);
  return [`+1${area}555${`${line}`.padStart(4, '0')}`];
}

function devicesOf(stream: Stream, platforms: readonly string[]): string[] {
  const devices: string[] = [];
  if (platforms.includes(IOS)) devices.push(advertisingId(stream));
  if (platforms.includes(ANDROID)) devices.push(stream.chance(0.7) ? advertisingId(stream) : hex(stream, 16));
  // Many who have a phone have a tablet too.
  if (devices.length > 0 && stream.chance(0.3)) devices.push(advertisingId(stream));
  return devices.filter(() => stream.chance(0.9));
}

function advertisingId(stream: Stream): string {
  const variant = stream.pick(['8', '9', 'a', 'b']);
  return `${hex(stream, 8)}-${hex(stream, 4)}-4${hex(stream, 3)}-${variant}${hex(stream, 3)}-${hex(stream, 12)}`;
}

function hex(stream: Stream, digits: number): string {
  return Array.from({ length: digits }, () => stream.below(16).toString(16)).join('');
}
