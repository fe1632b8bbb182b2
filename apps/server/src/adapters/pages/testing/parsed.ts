/** A page as parsed by a browser. */
import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode | DefaultTreeAdapterTypes.Document;
type ParsedElement = DefaultTreeAdapterTypes.Element;

/** An element of a page, with the queries that tests need. */
export class PageElement {
  readonly #node: ParsedElement;

  constructor(node: ParsedElement) {
    this.#node = node;
  }

  get tag(): string {
    return this.#node.tagName;
  }

  /** Text content. */
  get text(): string {
    return textOf(this.#node);
  }

  /** Attributes by name. */
  get attributes(): ReadonlyMap<string, string> {
    return new Map(this.#node.attrs.map(({ name, value }) => [name, value]));
  }

  attribute(name: string): string | undefined {
    return this.attributes.get(name);
  }

  /** Descendants in document order. */
  all(...tags: readonly string[]): PageElement[] {
    return elementsOf(this.#node).filter(({ tag }) => tags.length === 0 || tags.includes(tag));
  }
}

/** A parsed page. */
export class ParsedPage {
  readonly elements: readonly PageElement[];
  /** Parse errors, by their names in the HTML standard. */
  readonly errors: readonly string[];

  constructor(text: string) {
    const errors: string[] = [];
    const document = parse(text, { onParseError: ({ code }) => errors.push(code), sourceCodeLocationInfo: false });
    this.elements = elementsOf(document);
    this.errors = errors;
  }

  all(...tags: readonly string[]): PageElement[] {
    return this.elements.filter(({ tag }) => tags.includes(tag));
  }

  byId(id: string): PageElement | undefined {
    return this.elements.find((element) => element.attribute('id') === id);
  }

  /** The tree without its texts and values. */
  get skeleton(): string[] {
    return this.elements.map(({ tag, attributes }) => `${tag} ${[...attributes.keys()].join(' ')}`);
  }

  /** All texts and attribute values. */
  get words(): string[] {
    return this.elements.flatMap((element) => [element.text, ...element.attributes.values()]);
  }
}

function elementsOf(node: Node): PageElement[] {
  if (!('childNodes' in node)) return [];
  return node.childNodes.flatMap((child) => [
    ...('tagName' in child ? [new PageElement(child)] : []),
    ...elementsOf(child),
  ]);
}

function textOf(node: Node): string {
  if (node.nodeName === '#text' && 'value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}
