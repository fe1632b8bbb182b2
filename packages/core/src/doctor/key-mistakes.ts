/** Mistakes in the key. Findings never reveal the key, only the change to it. */
import { signingKey } from '../auth/base-string.ts';
import { percentEncode } from '../auth/percent.ts';
import type { SecretPair, Variant } from './evidence.ts';
import type { SigningMistake } from './signing-mistake.ts';

/** Content of a key when a program writes a secret that it does not have. */
const MISSING_VALUES = ['', 'undefined', 'null', 'None', 'nil'];
/** Surroundings of a secret that was read from a file, a page or a shell. */
const SURROUNDINGS = ['\n', '\r\n', ' ', '\t', '"', "'"];

/** Mistakes in the key, the likelier ones first. */
export const KEY_MISTAKES: readonly SigningMistake[] = [
  keyMistake('ampersand_missing', function* ({ consumer, token }) {
    if (token === undefined) yield percentEncode(consumer);
    else {
      yield percentEncode(consumer) + percentEncode(token);
      yield percentEncode(consumer);
      yield consumer + token;
    }
    yield consumer;
  }),
  keyMistake('token_secret_left_out', function* ({ consumer, token }) {
    for (const missing of MISSING_VALUES) {
      if (token !== undefined || missing !== '') yield signingKey(consumer, missing);
    }
  }),
  keyMistake('consumer_secret_left_out', function* ({ token }) {
    for (const missing of MISSING_VALUES) {
      yield signingKey(missing, token);
      yield signingKey(missing, missing);
    }
    if (token !== undefined) yield percentEncode(token);
  }),
  keyMistake('secrets_swapped', function* ({ consumer, token = '' }) {
    yield signingKey(token, consumer);
    yield `${token}&${consumer}`;
  }),
  keyMistake('secrets_not_encoded', function* ({ consumer, token = '' }) {
    yield `${consumer}&${token}`;
    for (const respell of [
      encodeURIComponent,
      encodeURI,
      (text: string) => percentEncode(text).replaceAll('%20', '+'),
    ]) {
      yield `${respell(consumer.toWellFormed())}&${respell(token.toWellFormed())}`;
    }
    yield `${percentEncode(consumer)}&${token}`;
    yield `${consumer}&${percentEncode(token)}`;
    yield signingKey(consumer, token).replace(/%../g, (hex) => hex.toLowerCase());
  }),
  keyMistake('secrets_encoded_twice', function* ({ consumer, token = '' }) {
    const [once, onceToken] = [percentEncode(consumer), percentEncode(token)];
    yield signingKey(once, onceToken);
    yield signingKey(once, token);
    yield signingKey(consumer, onceToken);
    yield percentEncode(signingKey(consumer, token));
  }),
  {
    id: 'key_used_as_secret',
    *variants({ secrets, request: { oauth } }) {
      if (!secrets) return;
      const { consumer, token } = secrets;
      yield { change: { key: signingKey(oauth.consumerKey, token) }, detail: 'The consumer key was taken.' };
      if (oauth.token === undefined) return;
      yield { change: { key: signingKey(consumer, oauth.token) }, detail: 'The token was taken.' };
      yield { change: { key: signingKey(oauth.consumerKey, oauth.token) }, detail: 'Both keys were taken.' };
    },
  },
  {
    id: 'wrong_consumer_secret',
    *variants({ secrets, otherSecrets }) {
      for (const { name, consumer, token } of otherSecrets) {
        if (consumer === undefined) continue;
        const detail = `The secret of ${name} was used.`;
        yield { change: { key: signingKey(consumer, secrets?.token) }, detail };
        if (token !== undefined) yield { change: { key: signingKey(consumer, token) }, detail };
      }
    },
  },
  {
    id: 'wrong_token_secret',
    *variants({ secrets, otherSecrets }) {
      if (!secrets) return;
      for (const { name, token } of otherSecrets) {
        if (token === undefined) continue;
        yield { change: { key: signingKey(secrets.consumer, token) }, detail: `The token secret of ${name} was used.` };
      }
    },
  },
];

/** Whitespace and quotes around secrets: many keys, so they are tried last. */
export const SURROUNDING_MISTAKES: readonly SigningMistake[] = [
  keyMistake('space_around_secret', function* ({ consumer, token }) {
    for (const text of SURROUNDINGS) {
      for (const around of [(s: string) => s + text, (s: string) => text + s, (s: string) => text + s + text]) {
        yield signingKey(around(consumer), token);
        yield `${around(consumer)}&${token ?? ''}`;
        if (token === undefined) continue;
        yield signingKey(consumer, around(token));
        yield signingKey(around(consumer), around(token));
        yield `${consumer}&${around(token)}`;
      }
    }
  }),
];

/** Combines the first key of a mistake with other mistakes, and tries the others alone. */
function keyMistake(id: SigningMistake['id'], keys: (secrets: SecretPair) => Iterable<string>): SigningMistake {
  return {
    id,
    *variants({ secrets }) {
      if (!secrets) return;
      let rare = false;
      for (const key of keys(secrets)) {
        const variant: Variant = { change: { key }, rare };
        yield variant;
        rare = true;
      }
    },
  };
}
