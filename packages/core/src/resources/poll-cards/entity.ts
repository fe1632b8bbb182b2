import type * as z from 'zod';
import { object } from '../../wire/object.ts';
import { formatTimestamp, timestampMs } from '../../wire/timestamp.ts';
import { oneOf, text, time } from '../../wire/types.ts';
import { cardMembers, cardSystemMembers, type StoredCard } from '../conversation-cards/entity.ts';

/** The shortest and the longest time for which people can vote (specification B, Limits). */
export const minPollMinutes = 5;
export const maxPollMinutes = 10_080;

/** Maximum number of characters of a choice (reference, creatives section 6). */
export const MAX_CHOICE = 25;

/** Types of poll cards, by the media that they show. */
export const pollCardTypes = ['TEXT_POLLS', 'IMAGE_POLLS', 'VIDEO_POLLS'] as const;
export type PollCardType = (typeof pollCardTypes)[number];

const shape = () => ({
  ...cardMembers.shape,
  card_type: oneOf(pollCardTypes).describe('The type of the card, by the media that it shows.'),
  first_choice: text().describe('The first choice.'),
  second_choice: text().describe('The second choice.'),
  third_choice: text().optional().describe('The third choice.'),
  fourth_choice: text().optional().describe('The fourth choice.'),
  start_time: time().describe('When people can begin to vote: when the card was created.'),
  end_time: time().describe('When the poll closes.'),
  duration_in_minutes: text().describe('How long people can vote, in minutes.'),
  image: text().optional().describe('The address of the image.'),
  image_display_height: text().optional().describe('The height of the image in pixels.'),
  image_display_width: text().optional().describe('The width of the image in pixels.'),
  video_url: text().optional().describe('The address of the video.'),
  video_height: text().optional().describe('The second part of the aspect ratio of the video.'),
  video_width: text().optional().describe('The first part of the aspect ratio of the video.'),
  video_poster_url: text().optional().describe('The address of the still that is shown before the video plays.'),
  video_poster_height: text().optional().describe('The second part of the aspect ratio of the still.'),
  video_poster_width: text().optional().describe('The first part of the aspect ratio of the still.'),
  content_duration_seconds: text().optional().describe('The duration of the video in seconds.'),
  ...cardSystemMembers(),
});

/** Named, so that declarations of operations do not repeat its members. */
export interface PollCardSchema extends z.ZodObject<ReturnType<typeof shape>> {}

/** A poll (reference, creatives section 6). Optional members are absent when they are not set. */
export const PollCard: PollCardSchema = object(shape);
export type PollCard = z.output<typeof PollCard>;

/** The response to its deletion (reference, creatives section 6). */
export const DeletedPollCard = object(
  () =>
    PollCard.pick({
      name: true,
      start_time: true,
      id: true,
      created_at: true,
      updated_at: true,
      deleted: true,
      card_type: true,
    }).shape,
);

/** A poll as stored. */
export interface StoredPoll extends StoredCard {
  readonly card_type: PollCardType;
  readonly first_choice: string;
  readonly second_choice: string;
  readonly third_choice: string | null;
  readonly fourth_choice: string | null;
  readonly duration_in_minutes: number;
  readonly media_key: string | null;
}

/** Media of the platform that a poll shows. */
interface ShownMedia {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly duration_ms: number | null;
  /** The still of a video. */
  readonly poster_url: string | undefined;
}

/** Returns when a poll that began at a time closes. @param minutes how long it is open */
export function pollEnd(start_time: string, minutes: number): string {
  return formatTimestamp(timestampMs(start_time) + minutes * 60_000);
}

/** Returns the choices of a poll, in their order. */
export function choicesOf(poll: Pick<StoredPoll, `${'first' | 'second' | 'third' | 'fourth'}_choice`>): string[] {
  const { first_choice, second_choice, third_choice, fourth_choice } = poll;
  return [first_choice, second_choice, third_choice, fourth_choice].filter((choice) => choice !== null);
}

/** Returns a poll as responses show it. @param media those that it shows, if there are any */
export function displayPoll(poll: StoredPoll, media: ShownMedia | undefined): PollCard {
  const { id, name, card_uri, card_type, created_at, updated_at, deleted } = poll;
  return {
    id,
    name,
    card_uri,
    card_type,
    first_choice: poll.first_choice,
    second_choice: poll.second_choice,
    third_choice: poll.third_choice ?? undefined,
    fourth_choice: poll.fourth_choice ?? undefined,
    start_time: created_at,
    end_time: pollEnd(created_at, poll.duration_in_minutes),
    duration_in_minutes: `${poll.duration_in_minutes}`,
    ...(media && card_type === 'IMAGE_POLLS' ? imageMembers(media) : {}),
    ...(media && card_type === 'VIDEO_POLLS' ? videoMembers(media) : {}),
    created_at,
    updated_at,
    deleted,
  };
}

function imageMembers({ url, width, height }: ShownMedia) {
  return { image: url, image_display_height: `${height}`, image_display_width: `${width}` };
}

/** A video of a poll has one aspect ratio only. Our choice: there is no playlist, so `video_hls_url` is absent. */
function videoMembers({ url, duration_ms, poster_url }: ShownMedia) {
  return {
    video_url: url,
    video_height: '9',
    video_width: '16',
    ...(poster_url === undefined
      ? {}
      : { video_poster_url: poster_url, video_poster_height: '9', video_poster_width: '16' }),
    ...(duration_ms === null ? {} : { content_duration_seconds: `${Math.round(duration_ms / 1000)}` }),
  };
}
