/** A person in front of a browser, as far as signing in needs one: cookies, forms, buttons. */

/** Content of a page. */
interface Page {
  readonly url: string;
  readonly html: string;
}

/** Opens the address of a login, signs in, approves, and returns the final page. */
export async function approve(url: string, person: { screen_name: string; password: string }): Promise<Page> {
  const cookies = new Map<string, string>();
  let page = await load(cookies, url);
  for (let steps = 0; steps < 5; steps++) {
    const form = formOf(page);
    if (!form) return page;
    const filled = new URLSearchParams(form.hidden);
    if (form.text && form.password) {
      filled.set(form.text, person.screen_name);
      filled.set(form.password, person.password);
    }
    if (form.button) filled.append(...form.button);
    page = await load(cookies, form.action, filled, new URL(page.url).origin);
  }
  throw new Error(`no end of forms:\n${page.html}`);
}

/** The PIN that a page shows. */
export function pinOn({ html }: Page): string {
  const [pin] = /\b\d{7}\b/.exec(html.replaceAll(/<[^>]*>/g, ' ')) ?? [];
  if (pin === undefined) throw new Error(`no PIN on the page:\n${html}`);
  return pin;
}

async function load(cookies: Map<string, string>, url: string, form?: URLSearchParams, origin?: string): Promise<Page> {
  const response = await fetch(url, {
    method: form ? 'POST' : 'GET',
    redirect: 'manual',
    headers: {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...(origin === undefined ? {} : { origin }),
    },
    ...(form ? { body: form } : {}),
  });
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    cookies.set(name, value);
  }
  const location = response.headers.get('location');
  if (response.status < 400 && location !== null) return load(cookies, new URL(location, url).href);
  return { url, html: await response.text() };
}

/** The form that asks for name and password, or else for the approval. */
function formOf({ url, html }: Page) {
  for (const [tag = '', inside = ''] of [...html.matchAll(/<form\b[^>]*>([\s\S]*?)<\/form>/g)].map(([all, text]) => [
    all,
    text,
  ])) {
    const inputs = [...inside.matchAll(/<input\b[^>]*>/g)].map(([input]) => attributes(input));
    const nameOf = (type: string) => inputs.find((input) => (input['type'] ?? 'text') === type)?.['name'];
    const buttons = [...inside.matchAll(/(<button\b[^>]*>)([\s\S]*?)<\/button>/g)];
    const yes = buttons.find(([, , label = '']) =>
      /^\s*(sign in|log in|authorize|approve|allow)/i.test(label.replaceAll(/<[^>]*>/g, '')),
    );
    if (!yes) continue;
    const { name, value = '' } = attributes(yes[1] ?? '');
    return {
      action: new URL(attributes(/^<form\b[^>]*>/.exec(tag)?.[0] ?? '')['action'] ?? '', url).href,
      hidden: inputs
        .filter(({ type }) => type === 'hidden')
        .map((input): [string, string] => [input['name'] ?? '', input['value'] ?? '']),
      text: nameOf('text'),
      password: nameOf('password'),
      button: name === undefined ? undefined : ([name, value] as const),
    };
  }
  return undefined;
}

function attributes(tag: string): Record<string, string> {
  const found = [...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value] as const);
  return Object.fromEntries(
    found.map(([name, value]) => [name, value.replaceAll('&amp;', '&').replaceAll('&#39;', "'")]),
  );
}
