import path from 'node:path';
import { AudienceState } from '../worker/audience-state.ts';
import { KEY_WORDS } from '../worker/keys.ts';
import { entryKinds, KIND_SHIFT } from '../worker/run-format.ts';
import { RunUnion } from '../worker/run-union.ts';
import type { ReferencePerson } from './reference-members.ts';

/** Reads everybody in the files of an audience, of a store that is closed. */
export function storedPersons(directory: string, audience: string): ReferencePerson[] {
  const state = new AudienceState(path.join(directory, 'audiences'), audience, undefined);
  const runs = state.openRuns();
  const persons: ReferencePerson[] = [];
  const aliases: string[] = [];
  const union = new RunUnion(runs);
  while (union.next()) {
    const { words, at, heap } = union;
    const [a = 0, b = 0, c = 0] = words.subarray(at + KEY_WORDS, at + KEY_WORDS + 3);
    const kind = c >>> KIND_SHIFT;
    const key = hex(words.subarray(at, at + KEY_WORDS));
    if (kind === entryKinds.simple) {
      persons.push({ keys: new Set([key]), intervals: [[a, b]], events: c & 1 ? [a] : [] });
    } else if (kind === entryKinds.home) {
      const { keys, intervals, events } = heap.person(a, words, at);
      const pairs = intervals.flatMap((from, i): [number, number][] =>
        i % 2 === 0 ? [[from, intervals[i + 1] ?? 0]] : [],
      );
      const all = Array.from({ length: keys.length / KEY_WORDS }, (_, i) =>
        hex(keys.subarray(i * KEY_WORDS, (i + 1) * KEY_WORDS)),
      );
      persons.push({ keys: new Set(all), intervals: pairs, events });
    } else if (kind === entryKinds.alias && b > state.manifest.at_s) {
      // The home of an alias that has expired may be somebody else's by now.
      aliases.push(key);
    }
  }
  for (const run of runs) run.close();
  const known = new Set(persons.flatMap(({ keys }) => [...keys]));
  const homeless = aliases.filter((alias) => !known.has(alias));
  if (homeless.length > 0) throw new Error(`aliases have no home: ${homeless.join()}`);
  return persons;
}

function hex(words: Uint32Array): string {
  return Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('');
}
