/** Titles and type names of resources, which are made of their names, in the words of a dialect. */
import { pascalCase, titleOf } from '../derive/names.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Returns the title of a resource, such as `Promoted posts`; another text as it is. */
export function titleOut(title: string, vocabulary: Vocabulary): string {
  const resource = title.toLowerCase().replaceAll(' ', '_');
  const renamed = vocabulary.nameOut(resource);
  return renamed === resource || titleOf(resource) !== title ? title : titleOf(renamed);
}

/** Returns the name of a schema: that of a resource in the singular, such as `PromotedPost`. */
export function typeNameOut(name: string, vocabulary: Vocabulary): string {
  const snake = name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
  const renamed = vocabulary.nameOut(`${snake}s`);
  return renamed === `${snake}s` ? name : pascalCase(renamed.replace(/s$/, ''));
}
