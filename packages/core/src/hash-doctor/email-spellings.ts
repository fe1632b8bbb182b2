/** Wrong spellings of e-mail addresses. */
import { type Cased, capitalized } from './letter-case.ts';
import { type WrongText, wrongTexts } from './wrong-text.ts';

/** Domains under which one provider takes mail. */
const SAME_PROVIDER: Readonly<Record<string, readonly string[]>> = {
  'gmail.com': ['googlemail.com', 'gmail.co', 'gmial.com', 'gmail.con', 'gamil.com'],
  'googlemail.com': ['gmail.com'],
  'hotmail.com': ['outlook.com', 'live.com', 'hotmial.com', 'hotmail.con'],
  'outlook.com': ['hotmail.com', 'live.com'],
  'live.com': ['hotmail.com', 'outlook.com'],
  'icloud.com': ['me.com', 'mac.com'],
  'me.com': ['icloud.com', 'mac.com'],
  'mac.com': ['icloud.com', 'me.com'],
  'protonmail.com': ['proton.me', 'pm.me'],
  'proton.me': ['protonmail.com', 'pm.me'],
  'yahoo.com': ['ymail.com', 'yahoo.con'],
  'ya.ru': ['yandex.ru'],
  'yandex.ru': ['ya.ru', 'yandex.com'],
};
/** Their providers take mail with dots anywhere in the local part. */
const DOTS_IGNORED = new Set(['gmail.com', 'googlemail.com']);
/** Tags that shops and newsletters are known by. */
const TAGS = ['news', 'newsletter', 'shop', 'shopping', 'promo', 'ads', 'spam', 'test'];

/** Returns wrong spellings of a normalized address. */
export function emailSpellings(address: string): WrongText[] {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  const plus = local.indexOf('+');
  const untagged = plus > 0 ? local.slice(0, plus) : local;
  const name = domain.slice(0, domain.indexOf('.') < 0 ? undefined : domain.indexOf('.'));
  return [
    ...wrongTexts('capitals', casedAddresses(local, domain)),
    ...wrongTexts('inner_blanks', [`${local} @${domain}`, `${local}@ ${domain}`, `${local} @ ${domain}`]),
    ...wrongTexts('brackets_kept', [`<${address}>`]),
    ...wrongTexts('label_kept', [`mailto:${address}`]),
    ...wrongTexts('tag_removed', plus > 0 ? [`${untagged}@${domain}`] : []),
    ...wrongTexts('dots_removed', [
      `${local.replaceAll('.', '')}@${domain}`,
      `${untagged.replaceAll('.', '')}@${domain}`,
    ]),
    ...wrongTexts('tag_kept', plus > 0 ? [] : TAGS.map((tag) => `${local}+${tag}@${domain}`)),
    ...wrongTexts(
      'domain_variant',
      [...(SAME_PROVIDER[domain] ?? []), `www.${domain}`, `${domain}.`, name].map((other) => `${local}@${other}`),
    ),
    ...wrongTexts('dots_added', DOTS_IGNORED.has(domain) ? dotted(local).map((other) => `${other}@${domain}`) : []),
    ...wrongTexts('local_part_only', [local]),
  ];
}

function casedAddresses(local: string, domain: string): string[] {
  const locals: Cased = capitalized(local);
  const domains = [domain, domain.charAt(0).toUpperCase() + domain.slice(1), domain.toUpperCase()];
  return [local, ...locals].flatMap((one) => domains.map((other) => `${one}@${other}`));
}

/** Returns a local part with one more dot, at each place. */
function dotted(local: string): string[] {
  return Array.from({ length: Math.min(local.length, 64) - 1 }, (_, at) => [
    local.slice(0, at + 1),
    local.slice(at + 1),
  ])
    .filter(([before, after]) => !before?.endsWith('.') && !after?.startsWith('.'))
    .map((parts) => parts.join('.'));
}
