/** Mistakes in the selection of signed parameters. */
import { formPairs, type Pair } from '../auth/percent.ts';
import { jsonParameters, multipartFields } from './body-parameters.ts';
import { isProtocol, type Variant } from './evidence.ts';
import type { SigningMistake } from './signing-mistake.ts';
import type { SourcePair } from './signing-model.ts';

/** Names under which libraries pass a whole body. */
const BODY_NAMES = ['', 'body', 'data', 'json', 'payload'];
/** Parameters that are added after signing, or forgotten. */
const OFTEN_LEFT_OUT = ['oauth_callback', 'oauth_verifier', 'oauth_token', 'oauth_version', 'oauth_body_hash'];
/** Parameters that libraries add on their own. */
const ADDED: readonly Pair[] = [
  ['oauth_version', '1.0'],
  ['oauth_token', ''],
  ['oauth_callback', 'oob'],
  ['oauth_callback', ''],
  ['oauth_verifier', ''],
];

/** Mistakes in the selection of signed parameters, the likelier ones first. */
export const PARAMETER_MISTAKES: readonly SigningMistake[] = [
  {
    id: 'query_left_out',
    *variants({ standard: { pairs } }) {
      yield signing(pairs, (pair) => pair.place !== 'query' || isProtocol(pair));
    },
  },
  {
    id: 'form_left_out',
    *variants({ standard: { pairs } }) {
      yield signing(pairs, (pair) => pair.place !== 'form' || isProtocol(pair));
    },
  },
  {
    id: 'json_body_signed',
    *variants({ standard: { pairs }, otherBody, contentType }) {
      if (otherBody === undefined || !isJson(contentType, otherBody)) return;
      for (const parameters of jsonParameters(otherBody)) yield withAdded(pairs, parameters);
      const read = formPairs(otherBody, pairs.length + 1000);
      if (read !== undefined && read !== 'too many') yield withAdded(pairs, read);
      yield withAdded(pairs, [[otherBody, '']]);
      for (const name of BODY_NAMES) yield withAdded(pairs, [[name, otherBody]]);
    },
  },
  {
    id: 'multipart_fields_signed',
    *variants({ standard: { pairs }, otherBody, contentType = '' }) {
      if (otherBody === undefined || !/^[ \t]*multipart\//i.test(contentType)) return;
      const fields = multipartFields(contentType, otherBody);
      const asPair = ({ name, value }: { name: string; value: string }): Pair => [name, value];
      yield withAdded(pairs, fields.filter(({ isFile }) => !isFile).map(asPair));
      yield withAdded(pairs, fields.map(asPair));
    },
  },
  {
    id: 'content_type_not_form',
    *variants({ standard: { pairs }, otherBody, contentType }) {
      if (otherBody === undefined || isJson(contentType, otherBody)) return;
      const read = formPairs(otherBody, 1000);
      if (read !== undefined && read !== 'too many') {
        yield { ...withAdded(pairs, read), detail: `The content type is ${JSON.stringify(contentType ?? '')}.` };
      }
    },
  },
  {
    id: 'oauth_parameter_left_out',
    *variants({ standard: { pairs } }) {
      const own = pairs.filter(isProtocol).map(({ name }) => name);
      for (const name of new Set([...OFTEN_LEFT_OUT.filter((each) => own.includes(each)), ...own])) {
        yield { ...signing(pairs, (pair) => pair.name !== name), detail: `${name} was not signed.` };
      }
      yield { ...signing(pairs, (pair) => !isProtocol(pair)), detail: 'None of the protocol parameters was signed.' };
    },
  },
  {
    id: 'oauth_parameter_not_sent',
    *variants({ standard: { pairs } }) {
      for (const [name, value] of ADDED) {
        if (pairs.some((pair) => pair.name === name)) continue;
        yield { ...withAdded(pairs, [[name, value]]), detail: `${name}=${value} was signed.`, rare: value === '' };
      }
    },
  },
  {
    id: 'signature_included',
    *variants({ standard: { pairs } }) {
      yield withAdded(pairs, [['oauth_signature', '']]);
    },
  },
  {
    id: 'realm_included',
    *variants({ standard: { pairs }, realm }) {
      if (realm !== undefined) yield withAdded(pairs, [['realm', realm]]);
    },
  },
  {
    id: 'empty_parameters',
    *variants({ standard: { pairs } }) {
      if (!pairs.some(({ value }) => value === '')) return;
      yield signing(pairs, ({ value }) => value !== '');
      yield { change: { join: (name, value) => (value === '' ? name : `${name}=${value}`) } };
    },
  },
  {
    id: 'duplicate_parameters',
    *variants({ standard: { pairs } }) {
      const byName = Map.groupBy(pairs, ({ name }) => name);
      if (byName.size === pairs.length) return;
      const groups = [...byName.values()];
      yield { change: { pairs: groups.flatMap((group) => group.slice(-1)) } };
      yield { change: { pairs: groups.flatMap((group) => group.slice(0, 1)) } };
      for (const separator of [',', ', ', '']) {
        const joined = groups.flatMap((group) =>
          group.slice(0, 1).map((pair) => ({ ...pair, value: group.map(({ value }) => value).join(separator) })),
        );
        yield { change: { pairs: joined } };
      }
      const unlike = new Map(pairs.map((pair) => [JSON.stringify([pair.name, pair.value]), pair]));
      yield { change: { pairs: [...unlike.values()] } };
    },
  },
];

function signing(pairs: readonly SourcePair[], keeps: (pair: SourcePair) => boolean): Variant {
  return { change: { pairs: pairs.filter(keeps) } };
}

function withAdded(pairs: readonly SourcePair[], added: readonly Pair[]): Variant {
  return { change: { pairs: [...pairs, ...added.map(([name, value]) => ({ name, value, place: 'added' as const }))] } };
}

function isJson(contentType: string | undefined, body: string): boolean {
  return /[/+]json\b/i.test(contentType ?? '') || /^\s*[{[]/.test(body);
}
