/** Names of targeting values in other languages. */
import type { Reject } from '@broadside/core';
import { languages, localizedPlatformName, locations } from '@broadside/core/data';

/** A value of a criterion or of a lookup. */
interface Targeted {
  readonly targeting_type: string;
  readonly targeting_value: string;
}

type Kind = 'language' | 'region';

const known = new Map<string, Intl.DisplayNames | undefined>();

function displayNames(lang: string, kind: Kind): Intl.DisplayNames | undefined {
  const key = `${lang} ${kind}`;
  if (!known.has(key)) {
    const [supported] = Intl.DisplayNames.supportedLocalesOf(lang);
    known.set(
      key,
      supported === undefined ? undefined : new Intl.DisplayNames(supported, { type: kind, fallback: 'none' }),
    );
  }
  return known.get(key);
}

/** Only platforms, languages and countries have names in other languages (our choice). */
function localized({ targeting_type, targeting_value }: Targeted, lang: string): string | undefined {
  switch (targeting_type) {
    case 'PLATFORM':
      return localizedPlatformName(targeting_value, lang);
    case 'LANGUAGE':
      return displayNames(lang, 'language')?.of(targeting_value);
    case 'LOCATION': {
      const place = locations.find(targeting_value);
      return place?.location_type === 'COUNTRIES' ? displayNames(lang, 'region')?.of(place.country_code) : undefined;
    }
    default:
      return undefined;
  }
}

/**
 * Returns the member `localized_name` of a targeting value, if a language is requested and has a name for it.
 * @throws ApiError when `lang` is not a language
 */
export function localizedName(targeted: Targeted, lang: string): { readonly localized_name?: string } {
  const name = localized(targeted, lang);
  return name === undefined ? {} : { localized_name: name };
}

/** Rejects a code that is not a language. */
export function checkLanguage(reject: Reject<'INVALID_PARAMETER'>, lang: string | undefined): void {
  if (lang === undefined || languages.find(lang)) return;
  throw reject.error({
    error: 'INVALID_PARAMETER',
    parameter: 'lang',
    value: lang,
    message: `Expected the ISO 639-1 code of a language, such as en, got "${lang}" for lang`,
  });
}
