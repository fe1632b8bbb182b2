/** OpenAPI documents in the words of a dialect. A document is derived from the contract, so its places say what is a name and what a text. */
import { parseJson, stringifyJson } from '../wire/json.ts';
import type { JsonSchema } from '../wire/types.ts';
import { failureOut, sentenceOut } from './failure.ts';
import { titleOut, typeNameOut } from './titles.ts';
import type { Translation } from './translation.ts';
import type { Vocabulary } from './vocabulary.ts';

const SCHEMAS = '#/components/schemas/';
const EXAMPLES = '#/components/examples/';

/** Returns a document in the words of a dialect, in steps of an operation or a schema: all of them take a tenth of a second. */
export function documentOut<Document extends JsonSchema>(
  document: Document,
  translation: Translation,
): Generator<undefined, Document> {
  return new Renamer(translation).document(document);
}

class Renamer {
  readonly #translation: Translation;
  readonly #words: Vocabulary;

  constructor(translation: Translation) {
    this.#translation = translation;
    this.#words = translation.vocabulary;
  }

  *document<Document extends JsonSchema>(document: Document): Generator<undefined, Document> {
    yield* this.#translation.prepare();
    const { paths, components, tags, info } = document;
    const { schemas, examples, ...others } = recordOf(components);
    return {
      ...document,
      info: this.#texts(recordOf(info)),
      tags: Array.isArray(tags) ? tags.map((tag) => this.#tag(tag)) : tags,
      paths: yield* mappedInSteps(recordOf(paths), (path, methods) => [
        this.#path(path),
        mapped(recordOf(methods), (method, each) => [method, this.#operation(recordOf(each))]),
      ]),
      components: {
        ...others,
        examples: yield* mappedInSteps(recordOf(examples), (name, example) => [
          this.#words.valueOut(name),
          this.#errorExample(recordOf(example)),
        ]),
        schemas: yield* mappedInSteps(recordOf(schemas), (name, schema) => [
          this.#schemaName(name),
          this.#schema(schema),
        ]),
      },
    };
  }

  #path(path: string): string {
    return path
      .split('/')
      .map((segment) =>
        segment.startsWith('{') ? `{${this.#words.nameOut(segment.slice(1, -1))}}` : this.#words.nameOut(segment),
      )
      .join('/');
  }

  /** Dotted ids of operations are paths of names. */
  #id(id: unknown): unknown {
    return typeof id === 'string' ? this.#words.nameOut(id) : id;
  }

  #tag(tag: unknown): unknown {
    const { name, ...others } = recordOf(tag);
    return { name: this.#title(name), ...others };
  }

  #title(title: unknown): unknown {
    return typeof title === 'string' ? titleOut(title, this.#words) : title;
  }

  #schemaName(name: string): string {
    return typeNameOut(name, this.#words);
  }

  #operation(operation: JsonSchema): JsonSchema {
    const { operationId, tags, parameters, requestBody, responses } = operation;
    return {
      ...this.#texts(operation),
      operationId: this.#id(operationId),
      ...('x-alias-of' in operation ? { 'x-alias-of': this.#id(operation['x-alias-of']) } : {}),
      ...('x-exclusive-parameters' in operation
        ? { 'x-exclusive-parameters': this.#names(operation['x-exclusive-parameters']) }
        : {}),
      tags: Array.isArray(tags) ? tags.map((tag) => this.#title(tag)) : tags,
      ...(Array.isArray(parameters) ? { parameters: parameters.map((each) => this.#parameter(recordOf(each))) } : {}),
      ...(requestBody === undefined ? {} : { requestBody: this.#body(recordOf(requestBody)) }),
      responses: mapped(recordOf(responses), (status, response) => [status, this.#body(recordOf(response))]),
    };
  }

  #parameter(parameter: JsonSchema): JsonSchema {
    const { name, schema, example } = parameter;
    const ours = String(name);
    return {
      ...this.#texts(parameter),
      name: this.#words.nameOut(ours),
      schema: this.#schema(schema),
      ...('example' in parameter ? { example: this.#translation.showLoose(example, ours) } : {}),
    };
  }

  /** A body of a request, or an answer. */
  #body(body: JsonSchema): JsonSchema {
    const { content } = body;
    const codes = body['x-error-codes'];
    return {
      ...this.#texts(body),
      ...(Array.isArray(codes) ? { 'x-error-codes': codes.map((code) => this.#value(code)) } : {}),
      ...(content === undefined
        ? {}
        : { content: mapped(recordOf(content), (type, media) => [type, this.#media(recordOf(media))]) }),
    };
  }

  #media(media: JsonSchema): JsonSchema {
    const { schema, example, examples, encoding } = media;
    return {
      ...media,
      ...(schema === undefined ? {} : { schema: this.#schema(schema) }),
      ...('example' in media ? { example: this.#translation.showLoose(example) } : {}),
      ...(examples === undefined
        ? {}
        : {
            examples: mapped(recordOf(examples), (name, each) => [
              this.#words.valueOut(name),
              this.#example(recordOf(each)),
            ]),
          }),
      ...(encoding === undefined
        ? {}
        : { encoding: mapped(recordOf(encoding), (name, each) => [this.#words.nameOut(name), each]) }),
    };
  }

  #example(example: JsonSchema): JsonSchema {
    const { $ref, value } = example;
    if (typeof $ref === 'string') return { ...example, $ref: this.#reference($ref) };
    return 'value' in example ? { ...this.#texts(example), value: this.#translation.showLoose(value) } : example;
  }

  #errorExample(example: JsonSchema): JsonSchema {
    const sent = { showValue: (_name: string, value: unknown) => value, showEcho: (echo: unknown) => echo };
    const value = failureOut(stringifyJson(example['value']), this.#words, sent);
    return { ...this.#texts(example), value: parseJson(value) };
  }

  #reference(reference: string): string {
    if (reference.startsWith(SCHEMAS)) return SCHEMAS + this.#schemaName(reference.slice(SCHEMAS.length));
    return reference.startsWith(EXAMPLES)
      ? EXAMPLES + this.#words.valueOut(reference.slice(EXAMPLES.length))
      : reference;
  }

  #schema(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((each) => this.#schema(each));
    if (typeof schema !== 'object' || schema === null) return schema;
    return mapped(recordOf(this.#texts(recordOf(schema))), (keyword, value) => [
      keyword,
      this.#keyword(keyword, value),
    ]);
  }

  #keyword(keyword: string, value: unknown): unknown {
    switch (keyword) {
      case 'properties':
        return mapped(recordOf(value), (name, member) => [this.#words.nameOut(name), this.#schema(member)]);
      case 'required':
        return this.#names(value);
      case 'enum':
      case 'default':
      case 'const':
        return Array.isArray(value) ? value.map((each) => this.#value(each)) : this.#value(value);
      case 'example':
      case 'examples':
        return this.#translation.showLoose(value);
      case '$ref':
        return typeof value === 'string' ? this.#reference(value) : value;
      case 'discriminator': {
        const { propertyName, ...others } = recordOf(value);
        return { propertyName: this.#names(propertyName), ...others };
      }
      case 'items':
      case 'anyOf':
      case 'oneOf':
      case 'allOf':
      case 'not':
      case 'additionalProperties':
        return this.#schema(value);
      default:
        return value;
    }
  }

  #names(names: unknown): unknown {
    if (Array.isArray(names)) return names.map((name) => this.#names(name));
    return typeof names === 'string' ? this.#words.nameOut(names) : names;
  }

  #value(value: unknown): unknown {
    return typeof value === 'string' ? this.#words.valueOut(value) : value;
  }

  /** Translates the sentences of an item, which are for people. */
  #texts(item: JsonSchema): JsonSchema {
    const { summary, description } = item;
    return {
      ...item,
      ...(typeof summary === 'string' ? { summary: sentenceOut(summary, this.#words) } : {}),
      ...(typeof description === 'string' ? { description: sentenceOut(description, this.#words) } : {}),
    };
  }
}

type MapMember = (name: string, value: unknown) => readonly [string, unknown];

function mapped(record: JsonSchema, map: MapMember): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => map(name, value)));
}

function* mappedInSteps(record: JsonSchema, map: MapMember): Generator<undefined, Record<string, unknown>> {
  const entries: (readonly [string, unknown])[] = [];
  for (const [name, value] of Object.entries(record)) {
    entries.push(map(name, value));
    yield;
  }
  return Object.fromEntries(entries);
}

function recordOf(value: unknown): JsonSchema {
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
