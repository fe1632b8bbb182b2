/** Parameters as a dialect sends them, in the words of the interface and in the form that it takes, and back. */
import * as z from 'zod';
import { fieldsOf, membersOf } from '../operation/fields.ts';
import { innerType, type WireType, wireTypeOf } from '../wire/types.ts';
import type { Tolerance } from './format.ts';
import type { Translation, Values } from './translation.ts';

/** A parameter, with what follows from its schema. */
interface Form {
  /** Values that have another form: theirs, and ours. */
  readonly values: Values;
  /** Ours, and theirs. */
  readonly shown: Values;
  readonly kind: string | undefined;
  /** Values by their letters alone, where any spelling of them is accepted. */
  readonly spellings: Values | undefined;
  /** The highest value of a number. */
  readonly maximum: number | undefined;
}

/** Parameters by name; without a prototype, so that each name is only what was sent. */
export type Params = Record<string, unknown>;

/** The parameters of one schema. */
export class ParamWords {
  readonly #forms: ReadonlyMap<string, Form>;
  readonly #translation: Translation;
  readonly #tolerance: Tolerance;

  /** @param entity what an update may restate, beside its parameters */
  constructor(schema: z.ZodObject, translation: Translation, tolerance: Tolerance, entity?: z.ZodObject) {
    this.#translation = translation;
    this.#tolerance = tolerance;
    const restated = entity ? fieldsOf(entity).filter(([name]) => !Object.hasOwn(schema.shape, name)) : [];
    this.#forms = new Map(
      [...fieldsOf(schema), ...restated].map(([name, field]) => {
        const type = wireTypeOf(field);
        const maximum: unknown = type?.json['maximum'];
        const shown = translation.valuesOut(type);
        const values = shown.size === 0 ? shown : new Map([...shown].map(([ours, theirs]) => [theirs, ours]));
        const spellings = tolerance.upload_categories && name === CATEGORY ? spellingsOf(type, shown) : undefined;
        const form = {
          values,
          shown,
          spellings,
          kind: type?.kind ?? (isPlainList(field) ? 'list' : undefined),
          maximum: typeof maximum === 'number' ? maximum : undefined,
        };
        return [name, form] as const;
      }),
    );
  }

  /** The name of a parameter in the interface. A name that the schema has is that, whatever it means in the dialect. */
  nameOf(given: string): string {
    return this.#forms.has(given) ? given : this.#translation.vocabulary.nameIn(given);
  }

  /**
   * Adds a parameter.
   * @param fromPath names that the path has
   * @returns false when it has been given before
   */
  add(params: Params, given: string, raw: unknown, fromPath?: Readonly<Record<string, string>>): boolean {
    const name = this.nameOf(given);
    const form = this.#forms.get(name);
    if (form === undefined && this.#tolerance.undocumented_list_parameters && LIST_PARAMETERS.has(name)) return true;
    const value = this.#valueOf(form, name, raw);
    if (!(name in params)) {
      params[name] = value;
      return true;
    }
    const before = params[name];
    if (this.#tolerance.repeated_path_parameters && fromPath !== undefined && name in fromPath) {
      return fromPath[name] === value || (typeof value !== 'object' && fromPath[name] === String(value));
    }
    if (!this.#tolerance.repeated_names || form?.kind !== 'list') return false;
    if (typeof before !== 'string' || typeof value !== 'string') return false;
    params[name] = `${before},${value}`;
    return true;
  }

  /** Parameters in the words of the dialect. */
  show(params: object): Params {
    const named: Params = {};
    const { vocabulary } = this.#translation;
    for (const [name, value] of Object.entries(params)) named[vocabulary.nameOut(name)] = this.showValue(name, value);
    return named;
  }

  /** A value of a parameter in the words of the dialect: typed, or as it was sent. */
  showValue(name: string, value: unknown): unknown {
    const form = this.#forms.get(name);
    if (typeof value === 'object' && value !== null && form?.kind !== 'list')
      return this.#translation.showLoose(value, name);
    if (form === undefined || form.shown.size === 0) return value;
    const { shown } = form;
    const one = (part: unknown) => (typeof part === 'string' ? (shown.get(part) ?? part) : part);
    if (Array.isArray(value)) return value.map(one);
    return form.kind === 'list' && typeof value === 'string' ? value.split(',').map(one).join(',') : one(value);
  }

  #valueOf(form: Form | undefined, name: string, raw: unknown): unknown {
    if (typeof raw === 'object' && raw !== null) return this.#translation.readLoose(raw, name);
    if (form === undefined) return raw;
    const { values, spellings, kind, maximum } = form;
    if (maximum !== undefined && name === 'count' && this.#tolerance.large_counts && isAbove(raw, maximum)) {
      return String(maximum);
    }
    if (typeof raw === 'string' && spellings) return spellings.get(lettersOf(raw)) ?? raw;
    if (typeof raw !== 'string' || values.size === 0) return raw;
    if (kind !== 'list' || !raw.includes(',')) return values.get(raw) ?? raw;
    return raw
      .split(',')
      .map((part) => values.get(part) ?? part)
      .join(',');
  }
}

/** Returns whether the elements of a list are no objects, so that a query can have them joined by commas. */
function isPlainList(field: z.ZodType): boolean {
  return (innerType(field) ?? field) instanceof z.ZodArray && membersOf(field) === undefined;
}

/** Parameters of lists that clients send to operations that have none of them. */
const LIST_PARAMETERS: ReadonlySet<string> = new Set(['sort_by', 'with_deleted']);

/** The parameter that has the category of an upload. */
const CATEGORY = 'media_category';

function spellingsOf(type: WireType | undefined, shown: Values): Values {
  const ours = (type?.values ?? []).flatMap((value) => [[lettersOf(value), value] as const]);
  return new Map([...ours, ...[...shown].map(([value, theirs]) => [lettersOf(theirs), value] as const)]);
}

/** A word without its underscores and letter case, which is what the spellings of clients have in common. */
function lettersOf(word: string): string {
  return word.slice(0, MAX_WORD).replaceAll('_', '').toLowerCase();
}

/** No word of an enumeration is as long. */
const MAX_WORD = 100;

function isAbove(raw: unknown, maximum: number): boolean {
  return (typeof raw === 'number' || (typeof raw === 'string' && /^\d{1,15}$/.test(raw))) && Number(raw) > maximum;
}
