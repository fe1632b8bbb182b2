/** Keeps secrets out of what is said, whatever a client sent where. */
import { percentEncode } from '../auth/percent.ts';

/** Shorter texts than any secret that is issued would turn up by chance. */
const SHORTEST_SECRET = 8;

/** A function that replaces secrets in text, also where they are percent-encoded up to three times. */
export function redactor(secrets: Iterable<string | undefined>): (text: string) => string {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret === undefined || secret.trim().length < SHORTEST_SECRET) continue;
    let form = secret.trim();
    for (let times = 0; times < 4; times += 1) {
      forms.add(form);
      form = percentEncode(form);
    }
  }
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((redacted, form) => redacted.replaceAll(form, '[secret]'), text);
}
