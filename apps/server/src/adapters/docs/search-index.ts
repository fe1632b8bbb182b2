/** The index that the search of the reference looks through: the texts of its pages, so that they are the same in all words. */

/** A place that can be found. */
export interface Place {
  /** The page, which is empty for the introduction, and the id on it. */
  readonly page: string;
  readonly id: string;
  readonly title: string;
  /** Of operations method and path, of errors the meaning, and otherwise what it is. */
  readonly route: string;
  /** Names: of parameters, members and values, and codes of errors. */
  readonly names: readonly string[];
  /** All other words, each once. */
  readonly words: readonly string[];
}

const PLACES = /<(article|section) id="([^"]+)" class="([^"]+)"[^>]*>(.*?)<\/\1>/gs;
const OPERATION_OR_ENTITY =
  /<article (?:id="([^"]+)" class="operation"|class="entity" id="([^"]+)")[^>]*>(.*?)<\/article>/gs;

/**
 * Collects the places of pages, page by page, so that other work can pass in between.
 * @param names the names of the pages
 * @param pageOf the text of a page
 */
export function* searchIndexInSteps(
  names: Iterable<string>,
  pageOf: (name: string) => string,
): Generator<undefined, readonly Place[]> {
  const places: Place[] = [];
  for (const name of names) {
    places.push(...placesOn(name, pageOf(name)));
    yield;
  }
  return places;
}

function placesOn(page: string, text: string): readonly Place[] {
  const articles = [...text.matchAll(OPERATION_OR_ENTITY)].map(([, operation, entity = '', content = '']) =>
    placeOf(page, operation ?? entity, content, 'Object'),
  );
  if (articles.length > 0) return articles;
  const sections = [...text.matchAll(PLACES)].map(([, , id = '', , content = '']) =>
    placeOf(page, id, content, 'Introduction'),
  );
  return sections.flatMap((section) => (section.id === 'errors' ? errorsIn(page, text) : [section]));
}

/** @param kind what it is, where it has no route */
function placeOf(page: string, id: string, content: string, kind: string): Place {
  const told = content.replace(/<div class="shown">.*$/s, '');
  const title = textOf(/<h[123][^>]*>(.*?)<\/h[123]>/s.exec(told)?.[1] ?? id);
  const route = /<p class="route">(.*?)<\/p>/s.exec(told)?.[1];
  const names = [...told.matchAll(/<code>(.*?)<\/code>/gs)].map(([, name = '']) => textOf(name).toLowerCase());
  const words =
    textOf(told)
      .toLowerCase()
      .match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  return {
    page,
    id,
    title,
    route: route === undefined ? kind : textOf(route.replace('</i>', ' ').replace(/<[^>]+>/g, '')),
    names: [...new Set([id.toLowerCase(), ...names.filter((name) => /^[\w.-]+$/.test(name))])],
    words: [...new Set(words)],
  };
}

/** Each error by its code. */
function errorsIn(page: string, text: string): readonly Place[] {
  return [...text.matchAll(/<div><dt><code>(.*?)<\/code><\/dt><dd>(.*?)<\/dd><\/div>/gs)].map(
    ([, code = '', meaning = '']) => ({
      page,
      id: 'errors',
      title: textOf(code),
      route: textOf(meaning),
      names: [textOf(code).toLowerCase()],
      words: [
        ...new Set(
          textOf(meaning)
            .toLowerCase()
            .match(/[\p{L}\p{N}]{2,}/gu) ?? [],
        ),
      ],
    }),
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

function textOf(markup: string): string {
  return markup
    .replaceAll('<wbr>', '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();
}
