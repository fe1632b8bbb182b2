/** Ways in which the credentials of a call can be wrong, by the kind of credentials that an operation takes. */
import type { AuthOperation, ErrorName } from '@broadside/core';
import type { SignOverrides } from '@broadside/testkit';
import { basic, type Credentials, type Setting } from './setting.ts';

const another = (signature: string) => `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
const seconds = ({ world }: Setting) => Math.floor(world.wallClock.now() / 1000);

export interface WrongCredentials {
  readonly title: string;
  readonly answer: ErrorName;
  readonly change: (right: Credentials, setting: Setting) => Credentials;
}

const signing = (title: string, answer: ErrorName, sign: (setting: Setting) => SignOverrides): WrongCredentials => ({
  title,
  answer,
  change: (right, setting) => ({ ...right, sign: { ...right.sign, ...sign(setting) } }),
});

const signed: readonly WrongCredentials[] = [
  { title: 'no credentials', answer: 'BAD_AUTHENTICATION_DATA', change: () => ({ as: null }) },
  {
    title: 'a bearer token',
    answer: 'BAD_AUTHENTICATION_DATA',
    change: (_, setting) => ({
      as: null,
      headers: { authorization: `Bearer ${setting.world.credentials.bearer_token}` },
    }),
  },
  signing('a wrong signature', 'UNAUTHORIZED_ACCESS', () => ({ signature: another })),
  signing('a signature that is no base64', 'UNAUTHORIZED_ACCESS', () => ({ signature: () => '*' })),
  signing('no signature', 'INVALID_PARAMETER', () => ({ signature: () => '' })),
  signing('a wrong consumer secret', 'UNAUTHORIZED_ACCESS', () => ({ consumerSecret: 'wrong' })),
  signing('an unknown consumer key', 'UNAUTHORIZED_ACCESS', () => ({ consumerKey: 'unknown' })),
  signing('a timestamp 301 seconds old', 'TIMESTAMP_OUT_OF_BOUNDS', (setting) => ({
    timestamp: seconds(setting) - 301,
  })),
  signing('a timestamp 301 seconds ahead', 'TIMESTAMP_OUT_OF_BOUNDS', (setting) => ({
    timestamp: seconds(setting) + 301,
  })),
];

const withToken: readonly WrongCredentials[] = [
  signing('a wrong token secret', 'UNAUTHORIZED_ACCESS', () => ({ tokenSecret: 'wrong' })),
  signing('an unknown token', 'UNAUTHORIZED_ACCESS', () => ({ token: 'unknown' })),
  signing('a token of another app, with its right secret', 'UNAUTHORIZED_ACCESS', (setting) => ({
    token: setting.other.access_token,
    tokenSecret: setting.other.access_token_secret,
  })),
];

const wrongBasic: readonly WrongCredentials[] = (
  [
    ['no credentials', () => undefined],
    ['a wrong secret', (setting: Setting) => basic({ ...setting.owner, consumer_secret: 'wrong' }).authorization],
    ['an unknown key', (setting: Setting) => basic({ ...setting.owner, consumer_key: 'unknown' }).authorization],
    [
      "another app's secret",
      (setting: Setting) => basic({ ...setting.owner, consumer_secret: setting.other.consumer_secret }).authorization,
    ],
    ['what is no base64', () => 'Basic *'],
    ['no colon', (setting: Setting) => `Basic ${Buffer.from(setting.owner.consumer_key).toString('base64')}`],
    [
      'a percent sign that encodes nothing',
      (setting: Setting) => basic({ ...setting.owner, consumer_secret: '%zz' }).authorization,
    ],
    ['a bearer token', (setting: Setting) => `Bearer ${setting.world.credentials.bearer_token}`],
  ] as const
).map(([title, authorization]) => ({
  title: `HTTP Basic with ${title}`,
  answer: 'UNVERIFIED_CREDENTIALS',
  change: (_, setting) => {
    const header = authorization(setting);
    return header === undefined ? { as: null } : { as: null, headers: { authorization: header } };
  },
}));

export const wrongCredentials: Readonly<Record<AuthOperation['access']['auth'], readonly WrongCredentials[]>> = {
  app: [
    ...signed,
    signing('a token beside the keys of the app', 'BAD_AUTHENTICATION_DATA', (setting) => ({
      token: setting.owner.access_token,
      tokenSecret: setting.owner.access_token_secret,
    })),
  ],
  request_token: [
    ...signed,
    ...withToken,
    signing('no token', 'BAD_AUTHENTICATION_DATA', () => ({ token: null })),
    signing('an access token', 'UNAUTHORIZED_ACCESS', (setting) => ({
      token: setting.owner.access_token,
      tokenSecret: setting.owner.access_token_secret,
    })),
  ],
  access_token: [...signed, ...withToken, signing('no token', 'UNAUTHORIZED_ACCESS', () => ({ token: null }))],
  basic: [
    ...wrongBasic,
    {
      title: 'a signature in its place',
      answer: 'UNVERIFIED_CREDENTIALS',
      change: (_, setting) => ({ as: setting.owner }),
    },
  ],
  owner: [
    ...signed,
    ...withToken,
    ...wrongBasic,
    signing('no token', 'UNAUTHORIZED_ACCESS', () => ({ token: null })),
    {
      title: 'somebody else who uses the app',
      answer: 'UNVERIFIED_CREDENTIALS',
      change: (_, setting) => ({ as: setting.user }),
    },
    {
      title: 'the owner of another app',
      answer: 'UNVERIFIED_CREDENTIALS',
      change: (_, setting) => ({ as: setting.other }),
    },
  ],
};
