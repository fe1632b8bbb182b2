/** Mistakes in the order of parameters. */
import { once } from '../once.ts';
import { isProtocol, type Variant } from './evidence.ts';
import type { SigningMistake } from './signing-mistake.ts';
import { type EncodedPair, type SigningModel, type SourcePair, sortEncoded } from './signing-model.ts';

type Arrange = SigningModel['arrange'];
type Group = (source: SourcePair) => boolean;

const PROTOCOL: Group = (source) => isProtocol(source);
const QUERY: Group = (source) => source.place === 'query' && !isProtocol(source);
const BODY: Group = (source) => source.place !== 'query' && !isProtocol(source);
const EVERY_GROUP = [PROTOCOL, QUERY, BODY];
const GROUPS: readonly (readonly Group[])[] = [
  [PROTOCOL, QUERY, BODY],
  [QUERY, BODY, PROTOCOL],
  [QUERY, PROTOCOL, BODY],
  [BODY, PROTOCOL, QUERY],
  [PROTOCOL, BODY, QUERY],
  [BODY, QUERY, PROTOCOL],
];

/** Mistakes in the order of parameters, the likelier ones first. */
export const ORDER_MISTAKES: readonly SigningMistake[] = [
  {
    id: 'sorted_by_name_only',
    *variants({ standard: { pairs } }) {
      if (new Set(pairs.map(({ name }) => name)).size === pairs.length) return;
      const byName = (list: readonly EncodedPair[]) => list.toSorted((a, b) => compare(a.encoded[0], b.encoded[0]));
      yield { change: { arrange: byName } };
      yield { change: { arrange: (list) => byName(list.toReversed()) } };
      yield {
        change: { arrange: (list) => byName([BODY, QUERY, PROTOCOL].flatMap((group) => membersOf(list, group))) },
      };
    },
  },
  {
    id: 'sorted_before_encoding',
    *variants() {
      yield {
        change: {
          arrange: (list) =>
            list.toSorted((a, b) => compare(a.source.name, b.source.name) || compare(a.source.value, b.source.value)),
        },
      };
    },
  },
  {
    id: 'sorted_as_joined',
    *variants() {
      yield { change: { arrange: sortBy(({ encoded: [name, value] }) => `${name}=${value}`, compare) } };
      yield { change: { arrange: sortBy(({ source }) => `${source.name}=${source.value}`, compare) }, rare: true };
    },
  },
  {
    id: 'sorted_by_alphabet',
    *variants() {
      yield { change: { arrange: sortBy(({ encoded }) => encoded[0].toLowerCase(), compare) } };
      yield { change: { arrange: sortBy(({ encoded }) => encoded[0], collator().compare) } };
      yield { change: { arrange: sortBy(({ encoded }) => encoded.join('=').toLowerCase(), compare) }, rare: true };
      yield { change: { arrange: sortBy(({ source }) => source.name, collator().compare) }, rare: true };
    },
  },
  {
    id: 'not_sorted',
    *variants({ standard: { pairs } }) {
      yield { change: { arrange: (list) => list } };
      const orders = GROUPS.map((groups) => groups.filter((group) => pairs.some(group)));
      const seen = new Set<string>();
      for (const groups of orders) {
        const order = groups.map((group) => EVERY_GROUP.indexOf(group)).join();
        if (seen.has(order)) continue;
        seen.add(order);
        yield arrangedBy(groups, (group) => group);
        yield arrangedBy(groups, sortEncoded);
        yield { ...arrangedBy(groups, (group, of) => (of === PROTOCOL ? sortEncoded(group) : group)), rare: true };
        yield { ...arrangedBy(groups, (group, of) => (of === PROTOCOL ? group : sortEncoded(group))), rare: true };
      }
      yield { change: { arrange: (list) => sortEncoded(list).reverse() }, rare: true };
    },
  },
];

/** Made when it is used: the first one of a process takes milliseconds, which each start would wait for. */
const collator = once(() => new Intl.Collator('en'));

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Sorts by a text of each pair; equal ones as in RFC 5849. */
function sortBy(textOf: (pair: EncodedPair) => string, order: (a: string, b: string) => number): Arrange {
  return (list) => sortEncoded(list).sort((a, b) => order(textOf(a), textOf(b)));
}

function membersOf(list: readonly EncodedPair[], group: Group): readonly EncodedPair[] {
  return list.filter(({ source }) => group(source));
}

function arrangedBy(
  groups: readonly Group[],
  within: (group: readonly EncodedPair[], of: Group) => readonly EncodedPair[],
): Variant {
  return { change: { arrange: (list) => groups.flatMap((group) => within(membersOf(list, group), group)) } };
}
