import { describe, expect, it } from 'vitest';
import { choicesOf, displayPoll, pollEnd } from './entity.ts';
import { checkPoll, resolvePoll } from './rules.ts';

const given = { name: 'Paper or screen', duration_in_minutes: 10_080, first_choice: 'Paper', second_choice: 'Screen' };
const system = {
  id: '57i77',
  card_uri: 'card://1',
  created_at: '2026-01-15T08:00:00Z',
  updated_at: '2026-01-15T08:00:00Z',
  deleted: false,
};
const media = { url: 'https://a.example/media/b', width: 1280, height: 670, duration_ms: null, poster_url: undefined };

describe('a poll', () => {
  it.each<[string, Parameters<typeof checkPoll>[0], string[]]>([
    ['two choices', {}, []],
    ['three choices', { third_choice: 'Both' }, []],
    ['four choices', { third_choice: 'Both', fourth_choice: 'Neither' }, []],
    ['a fourth without a third', { fourth_choice: 'Neither' }, ['INCLUSIVE_PARAMETERS fourth_choice']],
    ['media', { media_key: '3_1' }, ['FEATURE_NOT_AVAILABLE media_key']],
  ])('with %s, without features', (_title, poll, expected) => {
    expect(checkPoll(poll, []).map(({ error, parameter }) => `${error} ${parameter}`)).toEqual(expected);
  });

  it('takes media with the feature for them, which the rejection names', () => {
    expect(checkPoll({ media_key: '3_1' }, ['PROMOTED_MEDIA_POLLS'])).toEqual([]);
    expect(checkPoll({ media_key: '3_1' }, ['CITY_TARGETING'])[0]?.message).toContain('PROMOTED_MEDIA_POLLS');
  });

  it('closes after its duration', () => {
    expect(pollEnd('2026-01-15T08:00:00Z', 5)).toBe('2026-01-15T08:05:00Z');
    expect(pollEnd('2026-02-26T23:59:59Z', 10_080)).toBe('2026-03-05T23:59:59Z');
  });

  it('has its choices in order', () => {
    expect(choicesOf(resolvePoll(given, undefined))).toEqual(['Paper', 'Screen']);
    const four = resolvePoll({ ...given, third_choice: 'Both', fourth_choice: 'Neither' }, undefined);
    expect(choicesOf(four)).toEqual(['Paper', 'Screen', 'Both', 'Neither']);
  });
});

describe('a poll in a response', () => {
  it('has its type by its media, and members only of those', () => {
    const text = displayPoll({ ...system, ...resolvePoll(given, undefined) }, undefined);
    expect(JSON.parse(JSON.stringify(text))).toEqual({
      ...system,
      name: given.name,
      first_choice: 'Paper',
      second_choice: 'Screen',
      card_type: 'TEXT_POLLS',
      start_time: '2026-01-15T08:00:00Z',
      end_time: '2026-01-22T08:00:00Z',
      duration_in_minutes: '10080',
    });
  });

  it('with an image has its address and its size as texts', () => {
    const poll = displayPoll({ ...system, ...resolvePoll({ ...given, media_key: '3_1' }, 'photo') }, media);
    expect(poll).toMatchObject({
      card_type: 'IMAGE_POLLS',
      image: media.url,
      image_display_height: '670',
      image_display_width: '1280',
    });
    expect(poll).not.toHaveProperty('media_key');
    expect(poll).not.toHaveProperty('video_url');
  });

  it('with a video has its address, still, ratio and duration as texts', () => {
    const film = { ...media, duration_ms: 8_400, poster_url: 'https://a.example/media/c' };
    expect(displayPoll({ ...system, ...resolvePoll({ ...given, media_key: '7_1' }, 'video') }, film)).toMatchObject({
      card_type: 'VIDEO_POLLS',
      video_url: media.url,
      video_height: '9',
      video_width: '16',
      video_poster_url: film.poster_url,
      video_poster_height: '9',
      video_poster_width: '16',
      content_duration_seconds: '8',
    });
  });
});
