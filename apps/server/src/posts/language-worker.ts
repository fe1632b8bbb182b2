/** The thread that compares words with the tables of languages. Loading them takes longer than other work may be held up. */
import { parentPort } from 'node:worker_threads';
import { eld } from 'eld/extrasmall';

/** Words, and the number by which their answer is known. */
export interface LanguageTask {
  readonly number: number;
  readonly words: string;
}

/** The most similar language, in ISO 639-1; `undefined` where it is not clear. */
export interface LanguageAnswer {
  readonly number: number;
  readonly language: string | undefined;
}

parentPort?.on('message', ({ number, words }: LanguageTask) => {
  const found = eld.detect(words);
  const answer: LanguageAnswer = { number, language: found.isReliable() ? found.language : undefined };
  parentPort?.postMessage(answer);
});
