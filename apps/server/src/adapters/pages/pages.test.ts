import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { consentPage } from './consent-page.ts';
import { textField } from './design/field.ts';
import { durationOf, isolated } from './design/words.ts';
import { newsScript } from './notifications/script.ts';
import { pinPage } from './pin-page.ts';
import { pageHeaders } from './policy.ts';
import { signInPage } from './sign-in-page.ts';
import { ParsedPage } from './testing/parsed.ts';
import { type Sample, samples } from './testing/samples.ts';

const plain = (text: string) => text;
const named = samples.map((sample): [string, Sample] => [sample.name, sample]);
const pageOf = (name: string) => new ParsedPage(samples.find((sample) => sample.name === name)?.render(plain) ?? '');

describe.each(named)('the page %s', (_name, sample) => {
  const text = sample.render(plain);
  const page = new ParsedPage(text);

  test('is HTML without parse errors', () => {
    expect(page.errors).toEqual([]);
  });

  test('starts with its language, its title and its purpose', () => {
    expect(page.all('html')[0]?.attribute('lang')).toBe('en');
    expect(page.all('title')[0]?.text).toMatch(/^\S.* · Broadside$/);
    expect(page.all('meta').map((meta) => meta.attribute('content'))).toContain('width=device-width, initial-scale=1');
  });

  test('has one main element, one first-level heading, and skips no heading level', () => {
    for (const landmark of ['header', 'main', 'footer']) expect(page.all(landmark)).toHaveLength(1);
    const levels = page.all('h1', 'h2', 'h3', 'h4').map(({ tag }) => Number(tag.slice(1)));
    expect(levels[0]).toBe(1);
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    for (const heading of page.all('h1', 'h2', 'h3')) expect(heading.text.trim()).not.toBe('');
    levels.reduce((before, level) => {
      expect(level).toBeLessThanOrEqual(before + 1);
      return level;
    }, 1);
  });

  test('runs and loads nothing, and uses only its own style sheet', () => {
    const scripts = page.all('script').map((script) => [...script.attributes.values(), script.text]);
    expect(scripts).toEqual(sample.live ? [[newsScript, '', '']] : []);
    expect(page.all('img', 'iframe', 'object', 'embed', 'base', 'template')).toEqual([]);
    const names = page.elements.flatMap(({ tag, attributes }) => (tag === 'script' ? [] : [...attributes.keys()]));
    expect(names.filter((name) => /^(?:on|style$|src|srcdoc$|formaction$|background$|ping$)/.test(name))).toEqual([]);
    const [style, ...others] = page.all('style');
    expect(others).toEqual([]);
    const hash = createHash('sha256')
      .update(style?.text ?? '')
      .digest('base64');
    expect(pageHeaders()['content-security-policy']).toContain(`style-src 'sha256-${hash}';`);
    expect(style?.text).not.toMatch(/url\(|@import/);
  });

  test('links only to paths of this server, and sends every form with POST', () => {
    for (const link of page.all('a'))
      expect(link.attribute('href')).toMatch(/^(?:#[\w-]+|\/[\w/%-]+(?:\?before=\d+)?)$/);
    for (const form of page.all('form')) {
      expect(form.attribute('action')).toMatch(/^\/[\w/%-]+$/);
      expect(form.attribute('method')).toBe('post');
    }
  });

  test('has a CSRF token in every form', () => {
    for (const form of page.all('form')) {
      const tokens = form.all('input').filter((input) => input.attribute('name') === 'csrf');
      expect(tokens.map((input) => [input.attribute('type'), input.attribute('value')])).toEqual([['hidden', 'c5rf']]);
    }
  });

  test('has unique ids, and refers only to existing ones', () => {
    const ids = page.elements.flatMap((element) => element.attribute('id') ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    const pointers = page.elements.flatMap((element) => [
      ...['aria-describedby', 'aria-labelledby', 'for', 'form'].flatMap(
        (name) => element.attribute(name)?.split(' ') ?? [],
      ),
      ...(element
        .attribute('href')
        ?.match(/^#(.+)/)
        ?.slice(1) ?? []),
    ]);
    expect(pointers.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test('labels every field, button and link', () => {
    const labelled = page.all('label').map((label) => label.attribute('for'));
    for (const control of page.all('input', 'textarea', 'select')) {
      if (control.attribute('type') !== 'hidden') expect(labelled).toContain(control.attribute('id'));
    }
    for (const group of page.all('fieldset')) expect(group.all('legend')).toHaveLength(1);
    for (const element of page.all('button', 'a', 'label', 'legend', 'summary'))
      expect(element.text.trim()).not.toBe('');
    const buttons = page.all('button');
    expect(buttons.filter((button) => button.attribute('type') !== 'submit')).toEqual([]);
    const inMain = page.all('main').flatMap((main) => main.all('button').map(({ text: label }) => label));
    expect(new Set(inMain).size).toBe(inMain.length);
  });

  test('sets the focus on at most one element', () => {
    expect(page.elements.filter(({ attributes }) => attributes.has('autofocus')).length).toBeLessThanOrEqual(1);
  });

  test('shows each external text as text, whatever it contains', () => {
    const hostile = fc.oneof(
      fc.constantFrom(
        `"><script>alert(1)</script>`,
        `' onfocus='alert(1)' autofocus='`,
        '</title></textarea></style><img src=x onerror=alert(1)>',
        '<!--',
        '&lt;&amp;&#39;&quot',
        '\n\n{{7*7}}`',
        'javascript:alert(1)',
        '\u202egnp.\u2066',
      ),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
      fc.string({
        unit: fc.constantFrom('<', '>', '"', "'", '&', '/', '=', '-', '!', ' ', 'a', ';', '`'),
        maxLength: 12,
      }),
    );
    fc.assert(
      fc.property(hostile, (payload) => {
        const said: string[] = [];
        const attacked = new ParsedPage(
          sample.render((harmless) => {
            const text = `${clean(payload)}~${said.length}~${harmless}`;
            said.push(text);
            return text;
          }),
        );
        const same = new ParsedPage(sample.render((harmless) => `0~${harmless}`));
        expect(attacked.skeleton).toEqual(same.skeleton);
        // Characters that HTML does not allow cannot be markup either.
        expect(attacked.errors.filter((code) => !code.endsWith('-in-input-stream'))).toEqual([]);
        const words = attacked.words.join('\u0001').replaceAll(/[\u2068\u2069]/g, '');
        for (const text of said) {
          // Some occur in a path, where they are percent-encoded.
          const shown = [text, encodeURIComponent(text)].map((form) => form.replaceAll(/[\u2068\u2069]/g, ''));
          expect(shown.some((form) => words.includes(form))).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  });
});

/** Characters that a parser replaces by itself. */
function clean(text: string): string {
  return text.replaceAll('\0', '').replaceAll('\r', '');
}

test('every page has a unique title, unless it asks the same question', () => {
  const titles = samples.map(({ name, render }) => [
    new ParsedPage(render(plain)).all('title')[0]?.text,
    name.split('-')[0],
  ]);
  const groups = Map.groupBy(titles, ([title]) => title);
  for (const [, same] of groups) expect(new Set(same.map(([, name]) => name)).size).toBe(1);
});

describe('signing in', () => {
  test('lets a password manager recognize both fields, and a mobile keyboard leave the name unchanged', () => {
    const page = pageOf('sign-in');
    const name = page.byId('screen_name')?.attributes;
    expect(name?.get('autocomplete')).toBe('username');
    expect([name?.get('autocapitalize'), name?.get('spellcheck')]).toEqual(['none', 'false']);
    expect(page.byId('password')?.attribute('autocomplete')).toBe('current-password');
    expect(page.byId('password')?.attribute('type')).toBe('password');
    expect(page.byId('password')?.attributes.has('value')).toBe(false);
  });

  test('can be cancelled when an app asks, without sending the password', () => {
    const page = pageOf('sign-in-for-app');
    const cancel = page.all('button').find((button) => button.attribute('value') === 'cancel');
    expect(cancel?.attribute('name')).toBe('decision');
    const form = page.byId(cancel?.attribute('form') ?? '');
    expect(form?.attribute('action')).toBe('/oauth/authorize');
    expect(form?.all('input').map((input) => input.attribute('name'))).toEqual(['oauth_token', 'csrf']);
    expect(
      pageOf('sign-in')
        .all('button')
        .map(({ text }) => text),
    ).toEqual(['Sign in']);
  });

  test('ties errors to the fields, and sets the focus where the person has to type', () => {
    const page = pageOf('sign-in-wrong');
    for (const id of ['screen_name', 'password']) {
      expect(page.byId(id)?.attribute('aria-describedby')).toBe('problem');
      expect(page.byId(id)?.attribute('aria-invalid')).toBe('true');
    }
    expect(page.byId('password')?.attributes.has('autofocus')).toBe(true);
    expect(page.all('title')[0]?.text).toMatch(/^Error: /);
    const empty = new ParsedPage(signInPage({ csrf: 'c', action: '/sign-in', problem: { kind: 'wrong' } }));
    expect(empty.byId('screen_name')?.attributes.has('autofocus')).toBe(true);
  });

  test('says how long to wait', () => {
    expect(pageOf('sign-in-throttled').byId('problem')?.text).toContain('in 6 minutes');
  });
});

describe('the consent page', () => {
  const page = pageOf('consent-write');
  const text = page.all('main')[0]?.text;

  test('names the app, its owner, the user, and the destination', () => {
    expect(page.all('h1')[0]?.text).toBe('Authorize Campaign desk to use your account?');
    for (const fact of ['@deskmakers', 'Harbour Books', '@harbourbooks', 'desk.example']) expect(text).toContain(fact);
  });

  test('has one form for the decision and another for switching the account', () => {
    const forms = page.all('form').map((form) => ({
      fields: form.all('input').map((input) => `${input.attribute('name')}=${input.attribute('value')}`),
      decisions: form.all('button').map((button) => `${button.attribute('name')}=${button.attribute('value')}`),
    }));
    const fields = ['oauth_token=Vb3kQ', 'csrf=c5rf'];
    expect(forms).toEqual([
      { fields, decisions: ['decision=switch'] },
      { fields, decisions: ['decision=approve', 'decision=cancel'] },
    ]);
  });

  test('mentions spending and posting only if the app could do so', () => {
    const may = (name: string) => pageOf(name).all('ul')[0]?.text;
    expect(may('consent-write')).toMatch(/spends the money.*posts in your name/);
    expect(may('consent-read-pin')).not.toMatch(/create|change|delete|money|in your name/i);
    for (const name of ['consent-write', 'consent-read-pin']) {
      expect(pageOf(name).all('ul')[1]?.text).toContain('password');
    }
  });

  test('says for each destination what comes next', () => {
    const said = (destination: Parameters<typeof consentPage>[0]['destination']) =>
      new ParsedPage(
        consentPage({
          csrf: 'c',
          action: '/oauth/authorize',
          oauth_token: 't',
          app: { name: 'A', description: '', owner_screen_name: 'o' },
          user: { screen_name: 'u', name: 'U' },
          access_level: 'read',
          destination,
        }),
      ).all('main')[0]?.text;
    expect(said({ kind: 'url', host: '127.0.0.1:9' })).toContain('127.0.0.1:9 afterwards');
    expect(said({ kind: 'scheme', scheme: 'desk' })).toContain('desk: addresses');
    expect(said({ kind: 'pin' })).toContain('you get a PIN');
  });
});

test('the PIN is copied as one text and read aloud digit by digit', () => {
  const page = new ParsedPage(pinPage({ pin: '0418273', app: { name: 'A' }, valid_for_s: 900 }));
  const pin = page.byId('pin');
  expect(pin?.text).toBe('0418273');
  expect(pin?.attribute('aria-hidden')).toBe('true');
  const main = page.all('main')[0]?.text;
  expect(main).toContain('0 4 1 8 2 7 3');
  expect(main).toContain('15 minutes');
});

describe('settings', () => {
  test('revoke one approval per form, and name its app', () => {
    const forms = pageOf('settings')
      .all('main')
      .flatMap((main) => main.all('form'))
      .filter((form) => form.attribute('action') === '/settings/revoke');
    expect(forms.map((form) => form.all('button')[0]?.text)).toEqual([
      'Revoke access of Campaign desk',
      'Revoke access of Donaudampfschifffahrtskapitaen32',
      'Revoke access of مكتب الحملات',
    ]);
    expect(forms.map((form) => form.all('input')[0]?.attribute('value'))).toEqual([
      '1503831318555086',
      '1503831318555087',
      '1503831318555088',
    ]);
    expect(forms[0]?.all('input')[0]?.attribute('name')).toBe('app_id');
  });

  test('say so when there is nothing to list', () => {
    expect(pageOf('settings-empty').all('main')[0]?.text).toMatch(
      /No app has access to your account.*You own no apps/s,
    );
  });

  test('show the identifiers that a person gave, an item on each line', () => {
    const page = pageOf('settings');
    expect(page.byId('email')?.attribute('value')).toBe('hello@harborbooks.example.com');
    expect(page.byId('phone_numbers')?.text).toBe('+13605550110\n+13605550111');
    expect(page.byId('devices')?.text).toBe('4b61639e-47cc-4056-a16a-c8217e029462');
  });

  test('redisplay rejected identifiers, and link from the summary to each field', () => {
    const page = pageOf('settings-rejected');
    expect(page.byId('email')?.attribute('value')).toBe('harbour books');
    expect(page.byId('devices')?.text).toBe('\niPhone');
    const summary = page.elements.find((element) => element.attribute('role') === 'alert');
    expect(summary?.all('a').map((link) => link.attribute('href'))).toEqual(['#email', '#devices']);
    for (const id of ['email', 'devices']) expect(page.byId(id)?.attribute('aria-invalid')).toBe('true');
    expect(page.byId('phone_numbers')?.attributes.has('aria-invalid')).toBe(false);
  });

  test('show readable dates', () => {
    const [time] = pageOf('settings').all('time');
    expect([time?.text, time?.attribute('datetime')]).toEqual(['14 March 2026', '2026-03-14T09:26:53Z']);
  });
});

describe('the form of an app', () => {
  const checked = (page: ParsedPage) =>
    page
      .all('input')
      .flatMap((input) =>
        input.attributes.has('checked') ? [`${input.attribute('name')}=${input.attribute('value')}`] : [],
      );

  test('shows the current values of the app', () => {
    const page = pageOf('app');
    expect(page.byId('name')?.attribute('value')).toBe('Campaign desk');
    expect(page.byId('callback_urls')?.text).toBe(
      'https://desk.example/oauth/callback\nhttp://127.0.0.1:8080/callback',
    );
    expect(checked(page)).toEqual(['access_level=write', 'sign_in_enabled=true']);
  });

  test('redisplays rejected input, and links from the summary to each field', () => {
    const page = pageOf('app-refused');
    expect(page.byId('name')?.attribute('value')).toBe('');
    expect(page.byId('callback_urls')?.text).toMatch(/^javascript:alert\(1\)\n/);
    expect(checked(page)).toEqual(['access_level=read', 'oob_enabled=true']);
    const summary = page.elements.find((element) => element.attribute('role') === 'alert');
    expect(summary?.attributes.has('autofocus')).toBe(true);
    expect(summary?.all('a').map((link) => link.attribute('href'))).toEqual(['#name', '#callback_urls']);
    for (const [id, hints] of [
      ['name', 'name-hint name-fault'],
      ['callback_urls', 'callback_urls-hint callback_urls-fault'],
    ] as const) {
      expect(page.byId(id)?.attribute('aria-describedby')).toBe(hints);
      expect(page.byId(id)?.attribute('aria-invalid')).toBe('true');
    }
    expect(page.byId('description')?.attributes.has('aria-invalid')).toBe(false);
  });

  test('keeps irreversible actions collapsed, each in a form of its own', () => {
    const page = pageOf('app');
    const forms = page.all('details').flatMap((details) => details.all('form'));
    expect(forms.map((form) => form.attribute('action'))).toEqual([
      '/settings/apps/1503831318555086/keys',
      '/settings/apps/1503831318555086/bearer',
    ]);
    expect(page.all('details').some(({ attributes }) => attributes.has('open'))).toBe(false);
  });

  test('preserves a line break at the beginning of a text', () => {
    const field = textField({ name: 'text', label: 'Text', value: '\nline', rows: 2 }).text;
    expect(new ParsedPage(field).byId('text')?.text).toBe('\nline');
  });
});

test('a name that changes the text direction does not affect the text after it', () => {
  expect(isolated('Campaign desk')).toBe('Campaign desk');
  expect(isolated('\u202ekesd')).toBe('\u2068\u202ekesd\u2069');
  const page = pageOf('consent-rtl');
  expect(page.all('title')[0]?.text).toBe('Authorize \u2068مكتب الحملات\u2069 · Broadside');
  expect(page.all('bdi').map(({ text }) => text)).toEqual(expect.arrayContaining(['مكتب الحملات', '港の本屋']));
});

test.each([
  [0, '1 second'],
  [1, '1 second'],
  [59.2, '60 seconds'],
  [60, '60 seconds'],
  [61, '2 minutes'],
  [900, '15 minutes'],
  [3600, '60 minutes'],
  [3601, '2 hours'],
])('%d seconds are called %s', (seconds, words) => {
  expect(durationOf(seconds)).toBe(words);
});
