/** A dialect: another vocabulary of the interface, compiled from its file and the contract. */
import * as z from 'zod';
import { allAuthOperations, allDataOperations, allOperations, allPages, allUploadOperations } from '../families.ts';
import { type PartialProblem, wireProblem } from '../wire/lookup.ts';
import type { Serializer } from '../wire/serialize.ts';
import type { JsonSchema } from '../wire/types.ts';
import { documentOut } from './document.ts';
import { entryOut, failureOut, sentenceOut } from './failure.ts';
import type { DialectFile } from './format.ts';
import { type Params, ParamWords } from './param-words.ts';
import { DialectPaths, otherVersions, variants } from './paths.ts';
import { titleOut, typeNameOut } from './titles.ts';
import { Translation } from './translation.ts';
import { Vocabulary } from './vocabulary.ts';
import { type PathOperation, templatesOf } from './words.ts';

/** The operations that a dialect has words for. */
export const dialectOperations: readonly PathOperation[] = [
  ...allOperations,
  ...allAuthOperations,
  ...allDataOperations,
  ...allUploadOperations,
  ...allPages,
];

/** A path of the contract in a dialect. All are templates. */
export interface PathForms {
  /** The one in the words of the dialect. */
  readonly shown: string;
  /** All that differ from it in words alone. */
  readonly paths: readonly string[];
  /** Those of another form. */
  readonly others: readonly string[];
  /** Other versions under which it is served. */
  readonly versions: readonly string[];
}

/** A dialect. What concerns an operation is compiled when it is first called. */
export class Dialect {
  readonly file: DialectFile;
  readonly vocabulary: Vocabulary;
  readonly #translation: Translation;
  readonly #operations = new WeakMap<PathOperation, OperationDialect>();
  #paths: DialectPaths | undefined;

  /** @param file that has been checked, see `checkDialect` */
  constructor(file: DialectFile) {
    this.file = file;
    this.vocabulary = new Vocabulary(file);
    this.#translation = new Translation(this.vocabulary, dialectOperations);
  }

  get name(): string {
    return this.file.name;
  }

  /** Returns a path in the words of the interface; one that it does not have as it is. */
  pathOf(received: string): string {
    this.#paths ??= new DialectPaths(dialectOperations.flatMap(templatesOf), this.vocabulary, this.file);
    return this.#paths.find(received) ?? received;
  }

  /** Returns the forms that a path of the contract has in the dialect, to look for the one that was meant. */
  formsOf(template: string): PathForms {
    const shown = template
      .split('/')
      .map((segment) => (segment.startsWith(':') ? segment : this.vocabulary.nameOut(segment)))
      .join('/');
    const versions = otherVersions(template, this.file);
    const others = Object.entries(this.file.paths).flatMap(([theirs, ours]) => (ours === template ? [theirs] : []));
    return { shown, paths: [...variants(template, this.vocabulary)], others, versions };
  }

  /** An operation in this dialect. */
  of(operation: PathOperation): OperationDialect {
    const known = this.#operations.get(operation);
    if (known) return known;
    const made = new OperationDialect(operation, this.file, this.#translation);
    this.#operations.set(operation, made);
    return made;
  }

  /** A value that was answered, in the words of the interface, as far as names alone say what is what. */
  readLoose(value: unknown): unknown {
    return this.#translation.readLoose(value);
  }

  /** An OpenAPI document in the words of the dialect, in steps between which other work can pass. */
  documentInSteps<Document extends JsonSchema>(document: Document): Generator<undefined, Document> {
    return documentOut(document, this.#translation);
  }

  /** A text for people with the names and values in it in the words of the dialect. */
  sentence(text: string): string {
    return sentenceOut(text, this.vocabulary);
  }

  /** The title of a resource, or the name of its type, in the words of the dialect; another text as it is. */
  title(text: string): string {
    const title = titleOut(text, this.vocabulary);
    return title === text && /^[A-Z][a-z]+(?:[A-Z][a-z]+)*$/.test(text) ? typeNameOut(text, this.vocabulary) : title;
  }

  /**
   * The body of an error that concerns no operation.
   * @param stays a part of its sentence that stays as it is, such as the path that was sent
   */
  failure(body: string, stays?: string): string {
    const { vocabulary } = this;
    return failureOut(body, vocabulary, { showValue: (_name, value) => value, showEcho: (echo) => echo, stays });
  }
}

/** An operation in a dialect. */
export class OperationDialect {
  readonly #file: DialectFile;
  readonly #translation: Translation;
  readonly #params: ParamWords;
  readonly #items = new Map<string, ParamWords>();

  constructor(operation: PathOperation, file: DialectFile, translation: Translation) {
    this.#file = file;
    this.#translation = translation;
    const entity = 'data' in operation && operation.data instanceof z.ZodObject ? operation.data : undefined;
    this.#params = this.#wordsOf(operation.params, operation.http.method === 'PUT' ? entity : undefined);
    const { batch } = 'batch' in operation ? operation : {};
    for (const [type, schema] of [
      ['Create', batch?.Create],
      ['Update', batch?.Update],
      ['Delete', batch?.Delete],
    ] as const) {
      if (schema) this.#items.set(type, this.#wordsOf(schema, type === 'Create' ? undefined : entity));
    }
  }

  #wordsOf(schema: z.ZodObject, entity?: z.ZodObject): ParamWords {
    return new ParamWords(schema, this.#translation, this.#file.tolerance, entity);
  }

  /** The name of a parameter in the interface. */
  nameOf(given: string): string {
    return this.#params.nameOf(given);
  }

  /**
   * Adds a parameter that was sent.
   * @param path the parameters of the path
   * @returns false when it was given before
   */
  add(params: Params, given: string, value: unknown, path: Readonly<Record<string, string>>): boolean {
    return this.#params.add(params, given, value, path);
  }

  /** The items of a batch in the words of the interface. */
  items(sent: unknown): unknown {
    return Array.isArray(sent) ? sent.map((item) => this.#item(item)) : sent;
  }

  /** The names of the dialect for one of the interface, also those that it only accepts: batches of users are read in place. */
  readonly otherNames = (name: string): readonly string[] => this.#translation.vocabulary.formsOf(name);

  #item(item: unknown): unknown {
    if (!isRecord(item) || !isRecord(item['params'])) return item;
    const { operation_type, params } = item;
    const words = this.#items.get(String(operation_type));
    if (words === undefined) return item;
    const read: Params = Object.create(null);
    for (const [name, value] of Object.entries(params)) {
      if (this.#file.tolerance.to_delete && name === 'to_delete' && isSaid(value, operation_type === 'Delete'))
        continue;
      words.add(read, name, value);
    }
    return { ...item, params: read };
  }

  /** Writes values of a schema, of which the text is remembered as that of the interface is. */
  remembering(schema: z.ZodType): Serializer {
    return this.#translation.remembering(schema);
  }

  /** Writes values of a schema. */
  serializer(schema: z.ZodType): Serializer {
    return this.#translation.serializer(schema);
  }

  /** The part of the request that an answer repeats: the parameters, or the items of a batch. */
  echo(echo: unknown): unknown {
    if (Array.isArray(echo)) return echo.map((item) => this.#echoItem(item));
    return typeof echo === 'object' && echo !== null ? this.#params.show(echo) : echo;
  }

  #echoItem(item: unknown): unknown {
    if (!isRecord(item) || !isRecord(item['params'])) return item;
    const words = this.#items.get(String(item['operation_type'])) ?? this.#params;
    return { ...item, params: words.show(item['params']) };
  }

  /** The name of a member of an envelope, or of the kind of entity in it. */
  nameOut(name: string): string {
    return this.#translation.vocabulary.nameOut(name);
  }

  /** The body of an error. */
  failure(body: string): string {
    return failureOut(body, this.#translation.vocabulary, {
      showValue: (name, value) => this.#showValue(name, value),
      showEcho: (echo) =>
        isRecord(echo) && isRecord(echo['params']) ? { params: this.echo(echo['params']) } : this.echo(echo),
    });
  }

  /** A problem of a lookup. */
  problem(problem: PartialProblem, baseUrl: string): unknown {
    return entryOut(wireProblem(problem, baseUrl), this.#translation.vocabulary, {
      showValue: (_name, value) => value,
    });
  }

  #showValue(name: string, value: unknown): unknown {
    for (const words of [this.#params, ...this.#items.values()]) {
      const shown = words.showValue(name, value);
      if (shown !== value) return shown;
    }
    return value;
  }
}

/** Returns whether a flag says this. */
function isSaid(flag: unknown, wanted: boolean): boolean {
  return String(flag).toLowerCase() === String(wanted);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
