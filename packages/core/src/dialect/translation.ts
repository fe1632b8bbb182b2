/** Values in the words of a dialect, and back. What can be translated in a value is known beforehand from the contract. */
import type * as z from 'zod';
import { resultOf } from '../steps.ts';
import { JsonText, parseJson, quoteJson, stringifyJson } from '../wire/json.ts';
import { rememberingSerializersOf } from '../wire/remembered-json.ts';
import { type Serializer, serializersOf, writeScalar } from '../wire/serialize.ts';
import { type WireType, wireTypeOf } from '../wire/types.ts';
import type { Vocabulary } from './vocabulary.ts';
import { type PathOperation, visitOperation } from './words.ts';

/** The values of an enumeration that have another form: from one vocabulary to the other. */
export type Values = ReadonlyMap<string, string>;

const NO_VALUES: Values = new Map();

/** By the name of a member, the values that it has anywhere: theirs, and ours. */
interface KnownValues {
  readonly in: ReadonlyMap<string, Values>;
  readonly out: ReadonlyMap<string, Values>;
}

/** Translates values between a dialect and the interface. */
export class Translation {
  readonly vocabulary: Vocabulary;
  readonly #operations: readonly PathOperation[];
  #known: KnownValues | undefined;

  constructor(vocabulary: Vocabulary, operations: readonly PathOperation[]) {
    this.vocabulary = vocabulary;
    this.#operations = operations;
  }

  /** The values of an enumeration that have another form in the dialect: ours, and theirs. */
  valuesOut(type: Pick<WireType, 'values'> | undefined): Values {
    const { vocabulary } = this;
    const changed = (type?.values ?? [])
      .map((value) => [value, vocabulary.valueOut(value)] as const)
      .filter(([ours, theirs]) => ours !== theirs);
    return changed.length === 0 ? NO_VALUES : new Map(changed);
  }

  /** Writes a value of a schema in the words of the dialect, as the interface writes it in its own. */
  readonly serializer: (schema: z.ZodType) => Serializer = serializersOf(writeScalar, {
    nameOf: (name) => this.vocabulary.nameOut(name),
    scalarOf: (schema) => this.#scalarOf(schema),
    textOf: (write, stored) => this.#textOf(write, stored),
  });

  /** The same, with the texts of objects that are shown again and again. */
  readonly remembering: (schema: z.ZodType) => Serializer = rememberingSerializersOf(this.serializer);

  /** A value without a schema, in the words of the dialect: a snapshot of an entity, or what a caller sent. */
  showLoose(value: unknown, name?: string): unknown {
    return this.#loose(value, name, 'out');
  }

  /** A value without a schema, in the words of the interface. */
  readLoose(value: unknown, name?: string): unknown {
    return this.#loose(value, name, 'in');
  }

  #scalarOf(schema: z.ZodType): Serializer | undefined {
    const type = wireTypeOf(schema);
    if (type?.kind === 'members' || type?.kind === 'items') {
      return (value) => stringifyJson(this.showLoose(value));
    }
    const values = this.valuesOut(type);
    if (values.size === 0) return undefined;
    const one = (value: unknown): string =>
      typeof value === 'string' ? quoteJson(values.get(value) ?? value) : stringifyJson(value);
    return (value) => (Array.isArray(value) ? `[${value.map(one).join(',')}]` : one(value));
  }

  /** Texts of stored values in the dialect, as long as those values are kept. */
  readonly #texts = new WeakMap<JsonText, string>();

  #textOf(write: Serializer, stored: JsonText): string {
    let text = this.#texts.get(stored);
    if (text === undefined) {
      text = write(parseJson(stored.text));
      this.#texts.set(stored, text);
    }
    return text;
  }

  #loose(value: unknown, name: string | undefined, way: 'in' | 'out'): unknown {
    if (typeof value === 'string') {
      return (name === undefined ? undefined : this.#knownValues()[way].get(name)?.get(value)) ?? value;
    }
    if (value instanceof JsonText) return this.#loose(parseJson(value.text), name, way);
    if (Array.isArray(value)) return value.map((element) => this.#loose(element, name, way));
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    const named: Record<string, unknown> = Object.create(null);
    for (const [given, member] of Object.entries(value)) {
      const other = way === 'in' ? this.vocabulary.nameBack(given) : this.vocabulary.nameOut(given);
      named[other] = this.#loose(member, way === 'in' ? other : given, way);
    }
    return named;
  }

  /** Scans the contract, an operation in each step, for what translating values without a schema needs. Otherwise the first such value waits for all of it. */
  *prepare(): Generator<undefined, void> {
    this.#known ??= yield* this.#knownInSteps();
  }

  #knownValues(): KnownValues {
    this.#known ??= resultOf(this.#knownInSteps());
    return this.#known;
  }

  *#knownInSteps(): Generator<undefined, KnownValues> {
    const out = new Map<string, Map<string, string>>();
    for (const operation of this.#operations) {
      visitOperation(operation, (name, values) => {
        for (const [ours, theirs] of this.valuesOut({ values })) {
          const known = out.get(name) ?? new Map<string, string>();
          out.set(name, known.set(ours, theirs));
        }
      });
      yield;
    }
    return { in: new Map([...out].map(([name, values]) => [name, turn(values)] as const)), out };
  }
}

function turn(values: Values): Values {
  return new Map([...values].map(([ours, theirs]) => [theirs, ours]));
}
