/** Reads the components and slides of cards from what callers send. Every mistake is reported with its place. */

import * as z from 'zod';
import { isCountryCode } from '../../data/targeting/countries.ts';
import { type Place, type Report, readMember } from '../../wire/nested.ts';
import { object } from '../../wire/object.ts';
import { int, oneOf, type Rejection, text } from '../../wire/types.ts';
import { isDeepLink, normalizeWebAddress } from './addresses.ts';
import {
  type AppDestination,
  type ButtonComponent,
  buttonLabels,
  type CardComponents,
  type CardSlide,
  cardLimits,
  type DetailsComponent,
  descriptionTypes,
  type MediaComponent,
  mediaTypes,
  type SwipeableMediaComponent,
  type WebsiteDestination,
} from './components.ts';

const { carousel } = cardLimits;

/** Schemas of the members that are texts. */
export const fields = {
  media_key: text({ max: 64 }),
  title: text({
    max: cardLimits.title,
    pattern: /\S/,
    format: `a title of 1 to ${cardLimits.title} characters, not only blanks`,
  }),
  url: text({ max: cardLimits.url, format: 'an http or https URL' }),
  label: oneOf(buttonLabels),
  country_code: text({ min: 2, max: 2, format: 'an ISO 3166-1 alpha-2 country code, such as US' }),
  googleplay_app_id: text({
    max: cardLimits.app_id,
    pattern: /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/,
    format: 'the package name of an Android app, such as com.example.app',
  }),
  ios_app_store_identifier: text({ max: 20, pattern: /^\d+$/, format: 'the number of an app in the App Store' }),
  deep_link: text({ max: cardLimits.url, format: 'a link into an app, such as example://offers/7' }),
} as const;

const COMPONENTS = 'a list of two components: MEDIA or SWIPEABLE_MEDIA, then DETAILS or BUTTON';
const SLIDE = 'a slide: a list of two components, MEDIA, then DETAILS';
const SLIDES = `a list of ${carousel.min} to ${carousel.max} slides`;
const MEDIA_KEYS = `a list of ${carousel.min} to ${carousel.max} media keys`;

/** Facts about media in responses, by media key. */
const metadata = z.record(
  z.string(),
  object(() => ({
    type: oneOf(['IMAGE', 'VIDEO']),
    url: text({ max: cardLimits.url }),
    width: int(),
    height: int(),
    video_duration: int().exactOptional(),
    video_aspect_ratio: text().exactOptional(),
  })),
);

/** The number of unknown members of one object that are reported: a hostile one has many. */
const MAX_UNKNOWN = 5;

type Sent = Readonly<Record<string, unknown>>;

/** Reads the components of one card or all of its slides. */
export class ComponentReader {
  readonly #report: Report;
  readonly #isShown: boolean;

  /** @param isShown reads a response: facts about media are kept. In a request they are ignored, whatever they are */
  constructor(report: Report, isShown: boolean) {
    this.#report = report;
    this.#isShown = isShown;
  }

  /** Reads the components of a card. @returns `undefined` once a mistake has been reported */
  components(raw: unknown): CardComponents | undefined {
    return this.#pair(raw, [], COMPONENTS, (media, description, place) => {
      const read = this.#media(media, [...place, 0]);
      const below = this.#description(description, [...place, 1]);
      return read && below && [read, below];
    });
  }

  /** Reads the slides of a card. @returns `undefined` once a mistake has been reported */
  slides(raw: unknown): CardSlide[] | undefined {
    if (!isList(raw) || raw.length < carousel.min || raw.length > carousel.max) {
      this.#reject([], SLIDES);
      return undefined;
    }
    const slides = raw.map((slide, index) => this.#slide(slide, [index]));
    return slides.every((slide) => slide !== undefined) ? slides : undefined;
  }

  #slide(raw: unknown, place: Place): CardSlide | undefined {
    return this.#pair(raw, place, SLIDE, (media, details) => {
      const at: Place = [...place, 0];
      const below: Place = [...place, 1];
      const first = this.#typed(media, at, ['MEDIA']);
      const second = this.#typed(details, below, ['DETAILS']);
      const read = first && this.#single(first.sent, at);
      const description = second && this.#details(second.sent, below);
      return read && description && [read, description];
    });
  }

  #pair<Read>(
    raw: unknown,
    place: Place,
    expected: string,
    read: (first: unknown, second: unknown, place: Place) => Read | undefined,
  ): Read | undefined {
    if (isList(raw) && raw.length === 2) return read(raw[0], raw[1], place);
    this.#reject(place, expected);
    return undefined;
  }

  #media(raw: unknown, place: Place): MediaComponent | SwipeableMediaComponent | undefined {
    const typed = this.#typed(raw, place, mediaTypes);
    if (!typed) return undefined;
    return typed.type === 'MEDIA' ? this.#single(typed.sent, place) : this.#swipeable(typed.sent, place);
  }

  #description(raw: unknown, place: Place): DetailsComponent | ButtonComponent | undefined {
    const typed = this.#typed(raw, place, descriptionTypes);
    if (!typed) return undefined;
    return typed.type === 'DETAILS' ? this.#details(typed.sent, place) : this.#button(typed.sent, place);
  }

  /** Reads the type of an object, which decides what else it has. */
  #typed<const Type extends string>(
    raw: unknown,
    place: Place,
    types: readonly [Type, ...Type[]],
  ): { readonly type: Type; readonly sent: Sent } | undefined {
    if (!isRecord(raw)) {
      this.#reject(place, `an object with type ${types.join(' or ')}`);
      return undefined;
    }
    const type = readMember(oneOf(types), raw['type'], [...place, 'type'], this.#report);
    return type === undefined ? undefined : { type, sent: raw };
  }

  #single(sent: Sent, place: Place): MediaComponent | undefined {
    this.#checkNames(sent, place, ['type', 'media_key', 'media_metadata']);
    const media_key = this.#read(fields.media_key, sent, 'media_key', place);
    return media_key === undefined ? undefined : { type: 'MEDIA', media_key, ...this.#metadata(sent, place) };
  }

  #metadata({ media_metadata }: Sent, place: Place): Pick<MediaComponent, 'media_metadata'> {
    if (!this.#isShown || media_metadata === undefined) return {};
    const read = readMember(metadata, media_metadata, [...place, 'media_metadata'], this.#report);
    return read ? { media_metadata: read } : {};
  }

  #swipeable(sent: Sent, place: Place): SwipeableMediaComponent | undefined {
    this.#checkNames(sent, place, ['type', 'media_keys', 'media_metadata']);
    const at: Place = [...place, 'media_keys'];
    const raw = sent['media_keys'];
    if (raw === undefined) {
      this.#report(at, { reason: 'missing', expected: MEDIA_KEYS });
      return undefined;
    }
    if (!isList(raw) || raw.length < carousel.min || raw.length > carousel.max) {
      this.#reject(at, MEDIA_KEYS);
      return undefined;
    }
    const media_keys = raw.map((key, index) => readMember(fields.media_key, key, [...at, index], this.#report));
    if (!media_keys.every((key) => key !== undefined)) return undefined;
    return { type: 'SWIPEABLE_MEDIA', media_keys, ...this.#metadata(sent, place) };
  }

  #details(sent: Sent, place: Place): DetailsComponent | undefined {
    this.#checkNames(sent, place, ['type', 'title', 'destination'], { label: 'no label, which only a BUTTON has' });
    const title = this.#read(fields.title, sent, 'title', place);
    const destination = this.#website(sent['destination'], [...place, 'destination']);
    return title === undefined || !destination ? undefined : { type: 'DETAILS', title, destination };
  }

  #button(sent: Sent, place: Place): ButtonComponent | undefined {
    this.#checkNames(sent, place, ['type', 'label', 'destination'], { title: 'no title, which only DETAILS have' });
    const value = this.#label(sent['label'], [...place, 'label']);
    const destination = this.#app(sent['destination'], [...place, 'destination']);
    if (value === undefined || !destination) return undefined;
    return { type: 'BUTTON', label: { type: 'ENUM', value }, destination };
  }

  #label(raw: unknown, place: Place): (typeof buttonLabels)[number] | undefined {
    if (this.#isMissing(raw, place, 'a label with type ENUM')) return undefined;
    const typed = this.#typed(raw, place, ['ENUM']);
    if (!typed) return undefined;
    this.#checkNames(typed.sent, place, ['type', 'value']);
    return this.#read(fields.label, typed.sent, 'value', place);
  }

  #website(raw: unknown, place: Place): WebsiteDestination | undefined {
    if (this.#isMissing(raw, place, 'a destination with type WEBSITE')) return undefined;
    const typed = this.#typed(raw, place, ['WEBSITE']);
    if (!typed) return undefined;
    this.#checkNames(typed.sent, place, ['type', 'url', 'tco_url']);
    const sent = this.#read(fields.url, typed.sent, 'url', place);
    if (sent === undefined) return undefined;
    const url = normalizeWebAddress(sent);
    if (url === undefined)
      this.#reject([...place, 'url'], `an http or https URL of up to ${cardLimits.url} characters`);
    return url === undefined ? undefined : { type: 'WEBSITE', url };
  }

  #app(raw: unknown, place: Place): AppDestination | undefined {
    if (this.#isMissing(raw, place, 'a destination with type APP')) return undefined;
    const typed = this.#typed(raw, place, ['APP']);
    if (!typed) return undefined;
    const { sent } = typed;
    const given = ['googleplay_app_id', 'ios_app_store_identifier', 'googleplay_deep_link', 'ios_deep_link'] as const;
    this.#checkNames(sent, place, ['type', 'country_code', ...given]);
    const country_code = this.#read(fields.country_code, sent, 'country_code', place);
    if (country_code !== undefined && !isCountryCode(country_code)) {
      this.#reject([...place, 'country_code'], 'an ISO 3166-1 alpha-2 country code, such as US');
    }
    if (sent['googleplay_app_id'] === undefined && sent['ios_app_store_identifier'] === undefined) {
      const expected = 'googleplay_app_id or ios_app_store_identifier, or both';
      this.#report([...place, 'googleplay_app_id'], { reason: 'missing', expected });
    }
    const googleplay_app_id = this.#optional(fields.googleplay_app_id, sent, 'googleplay_app_id', place);
    const ios_app_store_identifier = this.#optional(
      fields.ios_app_store_identifier,
      sent,
      'ios_app_store_identifier',
      place,
    );
    const googleplay_deep_link = this.#deepLink(sent, 'googleplay_deep_link', 'googleplay_app_id', place);
    const ios_deep_link = this.#deepLink(sent, 'ios_deep_link', 'ios_app_store_identifier', place);
    if (country_code === undefined) return undefined;
    return {
      type: 'APP',
      country_code,
      ...(googleplay_app_id === undefined ? {} : { googleplay_app_id }),
      ...(ios_app_store_identifier === undefined ? {} : { ios_app_store_identifier }),
      ...(googleplay_deep_link === undefined ? {} : { googleplay_deep_link }),
      ...(ios_deep_link === undefined ? {} : { ios_deep_link }),
    };
  }

  #deepLink(sent: Sent, name: string, app: string, place: Place): string | undefined {
    const link = this.#optional(fields.deep_link, sent, name, place);
    if (link === undefined) return undefined;
    if (sent[app] === undefined) {
      this.#reject([...place, name], `no ${name} without ${app}`, { error: 'INCLUSIVE_PARAMETERS' });
    }
    if (isDeepLink(link)) return link;
    this.#reject([...place, name], 'a link into an app, such as example://offers/7');
    return undefined;
  }

  #read<Out>(schema: z.ZodType<Out>, sent: Sent, name: string, place: Place): Out | undefined {
    return readMember(schema, sent[name], [...place, name], this.#report);
  }

  #optional<Out>(schema: z.ZodType<Out>, sent: Sent, name: string, place: Place): Out | undefined {
    return sent[name] === undefined ? undefined : this.#read(schema, sent, name, place);
  }

  #isMissing(raw: unknown, place: Place, expected: string): boolean {
    if (raw !== undefined) return false;
    this.#report(place, { reason: 'missing', expected });
    return true;
  }

  /** @param elsewhere what to expect of members that other types have */
  #checkNames(sent: Sent, place: Place, known: readonly string[], elsewhere: Readonly<Record<string, string>> = {}) {
    let unknown = 0;
    for (const name of Object.keys(sent)) {
      if (known.includes(name)) continue;
      if (++unknown > MAX_UNKNOWN) return;
      const expected = Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined;
      this.#reject([...place, name.slice(0, 100)], expected ?? `one of ${known.join(', ')}`, {
        details: 'unknown member',
      });
    }
  }

  #reject(place: Place, expected: string, finer: Pick<Rejection, 'details' | 'error'> = {}): void {
    this.#report(place, { reason: 'invalid', expected, ...finer });
  }
}

function isRecord(value: unknown): value is Sent {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
