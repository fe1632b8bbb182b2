/**
 * A person in front of a browser without JavaScript: follows redirects, keeps cookies, reads pages, fills in forms and
 * presses buttons. Knows what anybody can see on a page, and nothing of the server that made it.
 */
import { type IncomingHttpHeaders, request } from 'node:http';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { CookieJar } from 'tough-cookie';

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

/** A button of a form. */
export interface Button {
  readonly label: string;
  readonly name: string | undefined;
  readonly value: string;
}

/** A form of a page. */
export interface Form {
  readonly method: 'GET' | 'POST';
  readonly action: string;
  /** Values of the form, including hidden fields. */
  readonly fields: readonly { readonly name: string; readonly type: string; readonly value: string }[];
  readonly buttons: readonly Button[];
}

/** Page that the browser shows. */
export interface Page {
  readonly url: string;
  /** 0 for an address that no browser can load, such as that of an app on the phone. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly html: string;
  /** Visible text. */
  readonly text: string;
  readonly forms: readonly Form[];
}

/** Questions that the person was asked on the way. */
type Question = 'sign in' | 'approve';

/** The way that a person took, and where it ended. */
export interface Visit {
  readonly page: Page;
  readonly asked: readonly Question[];
}

const APPROVE = /^(authori[sz]e|approve|allow)\b/i;
const CANCEL = /^(cancel|deny|no)\b/i;
const MAX_REDIRECTS = 10;
const MAX_QUESTIONS = 4;

/** A person with a browser of their own. */
export class BrowserUser {
  readonly #person: { readonly screen_name: string; readonly password: string };
  readonly #cookies = new CookieJar(null, { rejectPublicSuffixes: false, prefixSecurity: 'strict' });

  constructor(person: { readonly screen_name: string; readonly password: string }) {
    this.#person = person;
  }

  /** Opens an address, signs in if asked to, and allows or denies an app access. */
  async visit(url: string, answer: 'approve' | 'cancel' = 'approve'): Promise<Visit> {
    const asked: Question[] = [];
    let page = await this.open(url);
    while (asked.length < MAX_QUESTIONS) {
      const signIn = page.forms.find(({ fields }) => fields.some(({ type }) => type === 'password'));
      const pressed = answer === 'approve' ? APPROVE : CANCEL;
      const consent = page.forms.find(({ buttons }) => buttons.some(({ label }) => pressed.test(label)));
      if (signIn) {
        asked.push('sign in');
        page = await this.#signIn(page, signIn);
      } else if (consent) {
        asked.push('approve');
        page = await this.submit(
          page,
          consent,
          {},
          consent.buttons.find(({ label }) => pressed.test(label)),
        );
      } else return { page, asked };
    }
    throw new Error(`asked again and again: ${asked.join(', ')}, at last on\n${page.html}`);
  }

  /** Opens an address as if it were typed, or followed from a page. */
  open(url: string, from?: Page): Promise<Page> {
    return this.#load('GET', url, undefined, from);
  }

  /** Fills fields of a form and presses a button; the first one when none is named. */
  submit(
    page: Page,
    form: Form,
    filled: Readonly<Record<string, string>>,
    button: Button | undefined = form.buttons[0],
  ): Promise<Page> {
    const data = new URLSearchParams();
    for (const { name, value } of form.fields) data.append(name, filled[name] ?? value);
    if (button?.name !== undefined) data.append(button.name, button.value);
    if (form.method === 'POST') return this.#load('POST', form.action, data.toString(), page);
    return this.#load('GET', `${form.action.replace(/\?.*$/s, '')}?${data}`, undefined, page);
  }

  #signIn(page: Page, form: Form): Promise<Page> {
    const name = form.fields.find(({ type }) => type === 'text' || type === 'email')?.name;
    const password = form.fields.find(({ type }) => type === 'password')?.name;
    if (name === undefined || password === undefined) throw new Error(`nowhere to write a name:\n${page.html}`);
    return this.submit(page, form, { [name]: this.#person.screen_name, [password]: this.#person.password });
  }

  async #load(method: string, url: string, body: string | undefined, from: Page | undefined): Promise<Page> {
    let next = { method, url, body };
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      if (!/^https?:/.test(next.url)) return { url: next.url, status: 0, headers: {}, html: '', text: '', forms: [] };
      const answer = await this.#request(next, from);
      const { location } = answer.headers;
      if (answer.status < 300 || answer.status > 399 || location === undefined) return pageOf(next.url, answer);
      const keeps = answer.status === 307 || answer.status === 308;
      const target = new URL(location, next.url).href;
      next = keeps ? { ...next, url: target } : { method: 'GET', url: target, body: undefined };
    }
    throw new Error(`redirected more than ${MAX_REDIRECTS} times, at last to ${next.url}`);
  }

  async #request(
    { method, url, body }: { method: string; url: string; body: string | undefined },
    from: Page | undefined,
  ): Promise<Answer> {
    const cookie = await this.#cookies.getCookieString(url);
    const headers = {
      accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      'accept-language': 'en',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      ...provenance(method, url, from),
      ...(cookie !== '' && { cookie }),
      ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const answer = await exchange(method, url, headers, body);
    for (const line of answer.headers['set-cookie'] ?? []) await this.#cookies.setCookie(line, url);
    return answer;
  }
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly html: string;
}

/** The PIN on a page: seven digits, which may be set in groups. */
export function pinOn(page: Page): string {
  const [pin] = /\d(?: ?\d){6}/.exec(page.text) ?? [];
  if (pin === undefined) throw new Error(`no PIN on ${page.url}:\n${page.text}`);
  return pin.replaceAll(' ', '');
}

function exchange(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      let html = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        html += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, html }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Headers by which a browser names the origin of a request. */
function provenance(method: string, url: string, from: Page | undefined): Record<string, string> {
  const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-user': '?1' };
  if (!from) return { ...navigation, 'sec-fetch-site': 'none' };
  const [here, there] = [new URL(from.url), new URL(url)];
  const nearby = here.hostname === there.hostname ? 'same-site' : 'cross-site';
  const site = here.origin === there.origin ? 'same-origin' : nearby;
  const policy = from.headers['referrer-policy'] ?? 'strict-origin-when-cross-origin';
  const silent = policy === 'no-referrer' || (policy === 'same-origin' && site !== 'same-origin');
  return {
    ...navigation,
    'sec-fetch-site': site,
    ...(!silent && { referer: site === 'same-origin' ? from.url : `${here.origin}/` }),
    // Fetch, "append a request Origin header": a page that sends no referrer hides its origin too.
    ...(method === 'POST' && { origin: silent ? 'null' : here.origin }),
  };
}

function pageOf(url: string, { status, headers, html }: Answer): Page {
  const document = parse(html);
  const elements = [...elementsOf(document)];
  const owners = elements.filter(({ tagName }) => tagName === 'form');
  const forms = owners.map((form) => {
    const inside = new Set(elementsOf(form));
    const id = attribute(form, 'id');
    const owned = elements.filter((element) => {
      const named = attribute(element, 'form');
      return named === undefined ? inside.has(element) : named === id;
    });
    return formOf(form, owned, url);
  });
  return { url, status, headers, html, text: textOf(document), forms };
}

function formOf(form: Element, owned: readonly Element[], url: string): Form {
  const fields = [];
  const buttons = [];
  for (const element of owned) {
    const name = attribute(element, 'name');
    const value = attribute(element, 'value') ?? '';
    const type = (attribute(element, 'type') ?? (element.tagName === 'button' ? 'submit' : 'text')).toLowerCase();
    if (attribute(element, 'disabled') !== undefined) continue;
    if (element.tagName === 'button' && type === 'submit') buttons.push({ label: textOf(element), name, value });
    if (element.tagName !== 'input') continue;
    if (type === 'submit') buttons.push({ label: value, name, value });
    else if (name !== undefined && (type !== 'checkbox' || attribute(element, 'checked') !== undefined))
      fields.push({ name, type, value: type === 'checkbox' && value === '' ? 'on' : value });
  }
  const method = attribute(form, 'method')?.toUpperCase() === 'POST' ? 'POST' : 'GET';
  return { method, action: new URL(attribute(form, 'action') || url, url).href, fields, buttons };
}

function* elementsOf(node: Node): Generator<Element> {
  if (!('childNodes' in node)) return;
  for (const child of node.childNodes) {
    if ('tagName' in child) yield child;
    yield* elementsOf(child);
  }
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((candidate) => candidate.name === name)?.value;
}

/** Returns the visible text of a node, in one line. */
function textOf(node: Node): string {
  return rawText(node).replace(/\s+/g, ' ').trim();
}

const UNREAD: ReadonlySet<string> = new Set(['head', 'script', 'style', 'template', 'svg']);

function rawText(node: Node): string {
  if ('value' in node) return node.value;
  if (!('childNodes' in node) || ('tagName' in node && UNREAD.has(node.tagName))) return '';
  return node.childNodes.map(rawText).join(' ');
}
