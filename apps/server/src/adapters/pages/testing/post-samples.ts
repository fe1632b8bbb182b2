/** A post of every kind, for tests and for looking at the pages. */
import type { CardView, SlideView } from '../../../post-view/card-view.ts';
import type { MediaView } from '../../../post-view/media-view.ts';
import type { AuthorView, PostCore, PostView, Segment } from '../../../post-view/post-view.ts';
import type { ProfileView } from '../post/post-pages.ts';

const DAY_MS = 86_400_000;
/** 14 March 2026, 09:26:53 UTC. */
const AT_MS = 1_773_480_413_000;

const harbour: AuthorView = {
  id: '1503831318555086849',
  screen_name: 'harbourbooks',
  name: 'Harbour Books',
  verified: true,
  protected: false,
  avatar: '/media/avatar.200x200',
};
const reader: AuthorView = {
  id: '1503831318555086850',
  screen_name: 'mara_keane',
  name: 'Mara Keane',
  verified: false,
  protected: true,
  avatar: null,
};

const say = (text: string): Segment => ({ kind: 'text', text });

/** A picture whose path says its size, for a site that draws it. */
function media(name: string, more: Partial<MediaView> = {}): MediaView {
  const { width = 1200, height = 628 } = more;
  return {
    media_key: `3_${name}`,
    kind: 'photo',
    path: `/media/${name}.${width}x${height}`,
    content_type: 'image/png',
    still: null,
    width,
    height,
    alt: `The ${name} of the harbour at dusk`,
    ...more,
  };
}

const wide = media('lighthouse');
const square = media('shelf', { width: 900, height: 900 });
const tall = media('tower', { width: 720, height: 1280 });
const clip = media('boat', {
  kind: 'video',
  content_type: 'video/mp4',
  path: '/media/boat',
  still: '/media/boat.1280x720',
  width: 1280,
  height: 720,
  alt: 'A boat crosses the bay',
});
const gif = media('gull', {
  kind: 'animated_gif',
  content_type: 'image/gif',
  still: '/media/gull.960x720.still',
  width: 960,
  height: 720,
});

const core: PostCore = {
  id: '2032774318555086851',
  time: { kind: 'published', at_ms: AT_MS },
  author: harbour,
  text: [
    say('Autumn reading is in. Forty new titles, chosen by '),
    { kind: 'mention', text: '@mara_keane', screen_name: 'mara_keane' },
    say(' and friends: '),
    { kind: 'link', text: 'books.example.com/autumn', url: 'https://books.example.com/autumn' },
    say(' '),
    { kind: 'tag', text: '#books' },
    say(' '),
    { kind: 'tag', text: '$HRBR' },
  ],
  lang: 'en',
  media: [],
  card: null,
  call_to_action: null,
  promoted: false,
  reply_to: null,
  counts: { replies: 12, reposts: 48, quotes: 3, likes: 1204 },
};

function post(more: Partial<PostView>): PostView {
  return { ...core, quoted: null, reposted_by: null, taken_down: null, ...more };
}

const shop = {
  kind: 'website',
  title: 'Forty titles for long evenings',
  host: 'books.example.com',
  url: 'https://books.example.com/',
} as const;
const app = {
  kind: 'app',
  label: 'Install',
  stores: [
    { store: 'App Store', url: 'https://apps.apple.com/us/app/id1234567890' },
    { store: 'Google Play', url: 'https://play.google.com/store/apps/details?id=com.example.books' },
  ],
  deep_links: ['harbourbooks://autumn'],
} as const;

const slide = (shown: MediaView, destination: SlideView['destination'] = null): SlideView => ({
  media: shown,
  destination,
});
const promoted = (card: CardView, more: Partial<PostView> = {}): PostView => post({ promoted: true, card, ...more });

const thanks = {
  text: 'See you at the pier',
  link: { host: 'books.example.com', url: 'https://books.example.com/pier' },
  unlocked: [media('pier', { width: 1000, height: 400 })],
};
const poll = [
  { label: 'Sea stories', votes: 612 },
  { label: 'Lighthouse mysteries', votes: 1204 },
  { label: 'Tide tables', votes: 88 },
  { label: 'Anything with a map in it', votes: 0 },
];

/** Posts by the name of their kind. */
export const postSamples: Readonly<Record<string, PostView>> = {
  text: post({}),
  'one-image': post({ media: [wide] }),
  'tall-image': post({ media: [tall], text: [] }),
  'two-images': post({ media: [wide, square] }),
  'three-images': post({ media: [wide, square, tall] }),
  'four-images': post({ media: [wide, square, tall, media('pier', { alt: null })] }),
  gif: post({ media: [gif] }),
  video: post({ media: [clip] }),
  'video-call-to-action': post({
    promoted: true,
    media: [clip],
    call_to_action: {
      title: 'The bay in two minutes',
      description: 'A crossing at dawn, from the pier to the lighthouse and back before breakfast.',
      action: { label: 'Watch now', url: 'https://books.example.com/film' },
    },
  }),
  quote: post({
    quoted: {
      ...core,
      id: '2032774318555086852',
      author: reader,
      text: [say('The new shelf by the window is the best seat in town.')],
      media: [square],
    },
  }),
  'quote-gone': post({ quoted: 'unavailable' }),
  reply: post({
    author: reader,
    reply_to: { id: '2032774318555086852', screen_name: 'harbourbooks' },
    text: [say('Count me in!')],
    counts: { replies: 1, reposts: 0, quotes: 0, likes: 1 },
  }),
  repost: post({ reposted_by: reader }),
  draft: post({ time: { kind: 'draft' }, counts: null, promoted: true, media: [wide] }),
  scheduled: post({ time: { kind: 'scheduled', at_ms: AT_MS + DAY_MS }, counts: null }),
  'website-image': promoted({ kind: 'link', slides: [slide(wide)], destination: shop }),
  'website-video': promoted({ kind: 'link', slides: [slide(clip)], destination: shop }),
  'app-image': promoted({ kind: 'link', slides: [slide(square)], destination: app }),
  'app-video': promoted({
    kind: 'link',
    slides: [slide(clip)],
    destination: { ...app, label: 'Open', stores: app.stores.slice(0, 1), deep_links: [] },
  }),
  'carousel-website': promoted({
    kind: 'link',
    slides: [slide(wide), slide(media('pier')), slide(media('shelf'))],
    destination: shop,
  }),
  'carousel-app': promoted({
    kind: 'link',
    slides: [slide(square), slide(media('lighthouse', { width: 900, height: 900 }))],
    destination: app,
  }),
  'carousel-mixed': promoted({
    kind: 'link',
    slides: [
      slide(clip),
      slide(media('pier', { width: 1280, height: 720 })),
      slide(media('lighthouse', { width: 1280, height: 720 })),
    ],
    destination: shop,
  }),
  'carousel-destinations': promoted({
    kind: 'link',
    slides: [
      slide(square, shop),
      slide(media('pier', { width: 900, height: 900 }), {
        ...shop,
        title: 'The pier, and what to read on it while the ferry is late again',
      }),
      slide(media('tower', { width: 900, height: 900 }), { ...shop, title: 'Towers' }),
      slide(media('lighthouse', { width: 900, height: 900 }), { ...shop, title: 'Lights' }),
    ],
    destination: null,
  }),
  'conversation-image': promoted({
    kind: 'conversation',
    media: wide,
    title: 'Where will you read?',
    calls: [
      { tag: '#ByTheSea', post: 'I read by the sea. #ByTheSea' },
      { tag: '#UnderALamp', post: 'I read under a lamp. #UnderALamp' },
    ],
    thanks,
  }),
  'conversation-video': promoted({
    kind: 'conversation',
    media: clip,
    title: null,
    calls: ['#Dawn', '#Noon', '#Dusk', '#Midnight'].map((tag) => ({ tag, post: `The best hour to read is ${tag}` })),
    thanks: { text: 'Good choice', link: null, unlocked: [] },
  }),
  poll: post({
    card: { kind: 'poll', media: null, choices: poll, ends_ms: AT_MS + 2 * DAY_MS, remaining_ms: 2 * DAY_MS },
  }),
  'poll-final': post({ card: { kind: 'poll', media: null, choices: poll, ends_ms: AT_MS, remaining_ms: 0 } }),
  'poll-image': promoted({
    kind: 'poll',
    media: wide,
    choices: poll.slice(0, 2),
    ends_ms: AT_MS + DAY_MS,
    remaining_ms: DAY_MS,
  }),
  'right-to-left': post({
    author: { ...reader, name: 'مكتبة الميناء', screen_name: 'minaa' },
    lang: 'ar',
    text: [
      say('وصلت كتب الخريف: '),
      { kind: 'link', text: 'books.example.com/autumn', url: 'https://books.example.com/autumn' },
      say(' '),
      { kind: 'tag', text: '#كتب' },
    ],
    card: { kind: 'link', slides: [slide(wide)], destination: { ...shop, title: 'أربعون عنوانا لأمسيات طويلة' } },
  }),
};

/** A person for a timeline. */
export const profileSample: ProfileView = {
  ...harbour,
  description: 'New and old books by the water since 1974. Open when the ferry is in.',
  location: 'Port Townsend',
  site: { host: 'books.example.com', url: 'https://books.example.com/' },
  created_at: '2026-01-15T08:00:00Z',
  posts: 1204,
  following: 31,
  followers: 48_210,
};
