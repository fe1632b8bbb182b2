/** Removes secrets from texts, wherever a client sent them. */
import { percentEncode } from '../auth/percent.ts';

/** Texts shorter than any issued secret would match by chance. */
const SHORTEST_SECRET = 8;

/** Returns a function that replaces secrets in text, even if they are percent-encoded up to three times. */
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
