/** Reads the request that a `curl` command line sends. Nothing is sent, and no file is read. */
import { percentEncode } from '@broadside/core/auth';
import { addressParts, type Header, headerOf, type PastedRequest, PasteError } from './pasted.ts';
import { ShellSyntaxError, shellWords } from './shell-words.ts';

const FORM = 'application/x-www-form-urlencoded';

/** Short flags that take a value. Flags in neither list take none. */
const SHORT_WITH_VALUE = new Set('AbcCdDeEFHKmoPQrtTuUwxXyYz');
const LONG_WITH_VALUE = new Set(
  `abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout connect-to
   continue-at cookie cookie-jar create-file-mode crlfile curves data data-ascii data-binary data-raw data-urlencode
   delegation dns-interface dns-servers doh-url dump-header ech engine expect100-timeout form form-string ftp-port
   happy-eyeballs-timeout-ms haproxy-clientip header hsts interface ip-tos ipfs-gateway json keepalive-cnt keepalive-time
   key key-type limit-rate local-port login-options max-filesize max-redirs max-time netrc-file noproxy oauth2-bearer
   output output-dir parallel-max pass pinnedpubkey preproxy proto proto-default proto-redir proxy proxy-header
   proxy-user range rate referer request request-target resolve retry retry-delay retry-max-time service-name
   socks5 socks5-hostname speed-limit speed-time stderr tls-max tls13-ciphers trace trace-ascii unix-socket upload-file url
   url-query user user-agent variable write-out`.split(/\s+/),
);
const LONG_NAMES: Readonly<Record<string, string>> = {
  A: 'user-agent',
  b: 'cookie',
  d: 'data',
  e: 'referer',
  F: 'form',
  G: 'get',
  H: 'header',
  I: 'head',
  T: 'upload-file',
  u: 'user',
  X: 'request',
  ':': 'next',
};

interface Option {
  readonly name: string;
  readonly value: string;
}

/** Returns whether a text looks like a `curl` command. */
export function isCurl(text: string): boolean {
  return /(^|[\s/;&|])curl(\.exe)?\s/.test(text);
}

/** Reads a command line. @throws PasteError when it has no address, or cannot be read */
export function readCurl(text: string): PastedRequest {
  let words: string[];
  try {
    words = shellWords(text.slice(text.search(/(?<=^|[\s/;&|])curl(\.exe)?\s/)));
  } catch (error) {
    if (error instanceof ShellSyntaxError) throw new PasteError(`The command line cannot be read: ${error.message}`);
    throw error;
  }
  const { options, words: plain } = split(words.slice(1));
  return new CurlCall(options, plain).request();
}

function split(words: readonly string[]): { options: Option[]; words: string[] } {
  const options: Option[] = [];
  const plain: string[] = [];
  let flags = true;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (!flags || !word.startsWith('-') || word === '-') plain.push(word);
    else if (word === '--') flags = false;
    else if (word.startsWith('--')) {
      // curl itself does not know the form with an equals sign, but people write it.
      const [, name = '', joined] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
      const value = joined ?? (LONG_WITH_VALUE.has(name) ? words[++i] : '');
      options.push({ name, value: value ?? '' });
    } else {
      // Short flags may be combined; one with a value takes the rest of the word, or the next one.
      for (let j = 1; j < word.length; j++) {
        const letter = word.charAt(j);
        const name = LONG_NAMES[letter] ?? letter;
        if (!SHORT_WITH_VALUE.has(letter)) {
          options.push({ name, value: '' });
          continue;
        }
        const rest = word.slice(j + 1);
        options.push({ name, value: rest === '' ? (words[++i] ?? '') : rest });
        break;
      }
    }
    if (options.at(-1)?.name === 'next') break;
  }
  return { options, words: plain };
}

/** Result of the options of one transfer. */
class CurlCall {
  readonly #headers: Header[] = [];
  readonly #removed = new Set<string>();
  readonly #notes: string[] = [];
  readonly #inQuery: string[] = [];
  readonly #urls: string[];
  #data: string | undefined;
  #method: string | undefined;
  #user: string | undefined;
  #bearer: string | undefined;
  #get = false;
  #head = false;
  #json = false;
  #multipart = false;
  #upload = false;

  constructor(options: readonly Option[], words: readonly string[]) {
    const named = options.flatMap(({ name, value }) => (name === 'url' ? [value] : []));
    for (const { name, value } of options) if (Object.hasOwn(this.#takers, name)) this.#takers[name]?.(value);
    // The value of an unknown flag may be among the words; a URL is recognized by its form.
    this.#urls = [...named, ...[...words].sort((a, b) => Number(isAddress(b)) - Number(isAddress(a)))];
  }

  /** Effect of each option; all others do not affect the request. */
  readonly #takers: Readonly<Record<string, (value: string) => void>> = {
    header: (value) => this.#takeHeader(value),
    data: (value) => this.#append(this.#contentOf(value)),
    'data-ascii': (value) => this.#append(this.#contentOf(value)),
    'data-binary': (value) => this.#append(this.#contentOf(value)),
    'data-raw': (value) => this.#append(value),
    'data-urlencode': (value) => this.#append(this.#urlEncoded(value)),
    'url-query': (value) => void this.#inQuery.push(value.startsWith('+') ? value.slice(1) : this.#urlEncoded(value)),
    json: (value) => {
      this.#json = true;
      this.#data = `${this.#data ?? ''}${this.#contentOf(value)}`;
    },
    form: () => {
      this.#multipart = true;
    },
    'form-string': () => {
      this.#multipart = true;
    },
    'upload-file': () => {
      this.#upload = true;
    },
    get: () => {
      this.#get = true;
    },
    head: () => {
      this.#head = true;
    },
    request: (value) => {
      this.#method = value;
    },
    user: (value) => {
      this.#user = value;
    },
    'oauth2-bearer': (value) => {
      this.#bearer = value;
    },
    next: () => void this.#notes.push('Only the first request of the command line was looked at.'),
    config: (value) => void this.#notes.push(`The options in ${value} were not read.`),
  };

  #contentOf(value: string): string {
    return value.startsWith('@') ? this.#file(value.slice(1)) : value;
  }

  #takeHeader(text: string): void {
    const [, name, mark, value = ''] = /^([^:;]+)([:;])\s*(.*)$/s.exec(text) ?? [];
    if (name === undefined) {
      if (text.startsWith('@')) this.#file(text.slice(1));
      return;
    }
    // "Name:" sends no such header, "Name;" an empty one.
    if (mark === ':' && value === '') this.#removed.add(name.trim().toLowerCase());
    else this.#headers.push([name.trim(), mark === ';' ? '' : value.trimEnd()]);
  }

  #append(part: string): void {
    this.#data = this.#data === undefined ? part : `${this.#data}&${part}`;
  }

  /** `content`, `=content`, `name=content`, `@file` or `name@file`. */
  #urlEncoded(text: string): string {
    const mark = text.search(/[=@]/);
    if (mark === -1) return encoded(text);
    const name = text.slice(0, mark);
    const content = text.charAt(mark) === '@' ? this.#file(text.slice(mark + 1)) : text.slice(mark + 1);
    return name === '' ? encoded(content) : `${name}=${encoded(content)}`;
  }

  #file(name: string): string {
    this.#notes.push(`The content of ${name} is not known here. If it is a form, write it into the command line.`);
    return '';
  }

  request(): PastedRequest {
    const [url] = this.#urls;
    if (url === undefined) throw new PasteError('The command line has no address');
    const parts = addressParts(/^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`);
    if (!parts) throw new PasteError(`"${url}" is no http or https address`);
    const moved = this.#get && this.#data !== undefined ? [this.#data] : [];
    const target = withQuery(parts.target, [...moved, ...this.#inQuery]);
    const body = this.#get || this.#multipart || this.#upload ? undefined : this.#data;
    const headers = [...this.#headers];
    const add = (name: string, value: string) => {
      if (headerOf(headers, name) === undefined && !this.#removed.has(name)) headers.push([name, value]);
    };
    const user = this.#user ?? parts.user;
    if (this.#bearer !== undefined) add('authorization', `Bearer ${this.#bearer}`);
    else if (user !== undefined) add('authorization', `Basic ${Buffer.from(user).toString('base64')}`);
    if (this.#multipart) add('content-type', 'multipart/form-data');
    else if (body !== undefined) add('content-type', this.#json ? 'application/json' : FORM);
    const host = headerOf(headers, 'host') ?? parts.host;
    return {
      method: this.#methodOf(body),
      scheme: parts.scheme,
      host,
      target,
      headers,
      body,
      notes: this.#notes,
    };
  }

  #methodOf(body: string | undefined): string {
    if (this.#method !== undefined) return this.#method;
    if (this.#head) return 'HEAD';
    if (this.#upload) return 'PUT';
    return body !== undefined || this.#multipart ? 'POST' : 'GET';
  }
}

function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** As curl encodes a value: by RFC 3986, and a blank as `+`. */
function encoded(text: string): string {
  return percentEncode(text).replaceAll('%20', '+');
}

function withQuery(target: string, parts: readonly string[]): string {
  if (parts.length === 0) return target;
  return `${target}${target.includes('?') ? '&' : '?'}${parts.join('&')}`;
}
