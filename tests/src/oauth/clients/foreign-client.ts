/**
 * A library of another language, run as a program in `programs` that lives as long as the tests.
 *
 * The program says `{"ready": "<library and version>"}`, then answers one line of JSON with one line of JSON. A call names
 * in `do` what to do and carries `url`, `consumer_key`, `consumer_secret` and:
 *
 * | do                | also                                                 | answer                             |
 * | ----------------- | ---------------------------------------------------- | ---------------------------------- |
 * | send              | method, token, token_secret, form or json (optional) | status, body                       |
 * | request_token     | callback                                             | the parameters that the server sent |
 * | authorization_url | token, token_secret                                  | url                                |
 * | access_token      | token, token_secret, verifier                        | the parameters that the server sent |
 * | bearer_token      |                                                      | the object that the server sent     |
 *
 * An error is returned as `{"error": "..."}`.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import * as z from 'zod';
import {
  type AccessToken,
  type Answer,
  type AppKeys,
  type FlowClient,
  type Installable,
  MissingError,
  type RequestToken,
  type RequestToSign,
  type TokenPair,
} from './client.ts';

const Sent = z.object({ status: z.number(), body: z.string() });
const Url = z.object({ url: z.string() });
const RequestTokenAnswer = z.object({
  oauth_token: z.string(),
  oauth_token_secret: z.string(),
  oauth_callback_confirmed: z.string(),
});
const AccessTokenAnswer = z.object({
  oauth_token: z.string(),
  oauth_token_secret: z.string(),
  user_id: z.string(),
  screen_name: z.string(),
});
const BearerTokenAnswer = z.object({ token_type: z.literal('bearer'), access_token: z.string() });

/** A library of another language. */
export interface ForeignLibrary {
  readonly name: string;
  /** The Debian package to install. */
  readonly package: string;
  /** Interpreters to try. Debian's own comes first, since that is the one that sees Debian's packages. */
  readonly interpreters: readonly string[];
  /** The file in `programs`. */
  readonly program: string;
}

/** Makes a library startable. */
export function foreign(library: ForeignLibrary): Installable<FlowClient> {
  return {
    name: library.name,
    async start() {
      const reasons = [];
      for (const interpreter of library.interpreters) {
        try {
          return await ForeignClient.start(interpreter, library.program);
        } catch (error) {
          reasons.push(error instanceof Error ? error.message : String(error));
        }
      }
      throw new MissingError(
        `${library.name} is not on this machine (apt-get install ${library.package}): ${reasons.join('; ')}`,
      );
    },
  };
}

type Program = ChildProcessByStdio<Writable, Readable, Readable>;

class ForeignClient implements FlowClient {
  readonly #program: Program;
  /** The calls that wait for their line, in the order of the calls. */
  readonly #waiting: { resolve: (answer: unknown) => void; reject: (error: Error) => void }[] = [];
  #stderr = '';

  private constructor(interpreter: string, program: string) {
    const { PATH = '' } = process.env;
    this.#program = spawn(interpreter, [path.join(import.meta.dirname, 'programs', program)], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH, LC_ALL: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1' },
    });
    this.#program.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    this.#program.on('error', (error) => this.#fail(error.message));
    this.#program.on('close', (code) => this.#fail(`it ended with ${code}`));
    // The end of a program is reported by its exit.
    this.#program.stdin.on('error', () => {});
    createInterface(this.#program.stdout).on('line', (line) => {
      this.#waiting.shift()?.resolve(JSON.parse(line));
    });
  }

  /** @throws Error when there is no such interpreter, or the program did not get ready. */
  static async start(interpreter: string, program: string): Promise<ForeignClient> {
    const client = new ForeignClient(interpreter, program);
    await client.#line();
    return client;
  }

  async send({ method, url, app, token, form, json }: RequestToSign): Promise<Answer> {
    return Sent.parse(await this.#call('send', url, app, { method, ...pair(token), form, json }));
  }

  async requestToken(url: string, app: AppKeys, callback: string): Promise<RequestToken> {
    const answer = RequestTokenAnswer.parse(await this.#call('request_token', url, app, { callback }));
    return { ...pairOf(answer), callback_confirmed: answer.oauth_callback_confirmed };
  }

  async authorizationUrl(url: string, app: AppKeys, token: TokenPair): Promise<string> {
    return Url.parse(await this.#call('authorization_url', url, app, pair(token))).url;
  }

  async accessToken(url: string, app: AppKeys, token: TokenPair, verifier: string): Promise<AccessToken> {
    const given = { ...pair(token), verifier };
    const answer = AccessTokenAnswer.parse(await this.#call('access_token', url, app, given));
    return { ...pairOf(answer), user_id: answer.user_id, screen_name: answer.screen_name };
  }

  async bearerToken(url: string, app: AppKeys): Promise<string> {
    return BearerTokenAnswer.parse(await this.#call('bearer_token', url, app, {})).access_token;
  }

  close(): void {
    this.#program.kill();
  }

  async #call(what: string, url: string, app: AppKeys, given: object): Promise<unknown> {
    const { consumer_key, consumer_secret } = app;
    const call = { do: what, url, consumer_key, consumer_secret, ...given };
    this.#program.stdin.write(`${JSON.stringify(call)}\n`);
    const answer = await this.#line();
    const failed = z.object({ error: z.string() }).safeParse(answer);
    if (failed.success) throw new Error(failed.data.error);
    return answer;
  }

  #line(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      if (this.#program.exitCode !== null) this.#fail(`it ended with ${this.#program.exitCode}`);
    });
  }

  #fail(reason: string): void {
    const error = new Error(`${this.#program.spawnfile}: ${reason} ${this.#stderr}`.trim());
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

function pair({ token, token_secret }: TokenPair): TokenPair {
  return { token, token_secret };
}

function pairOf(answer: { oauth_token: string; oauth_token_secret: string }): TokenPair {
  return { token: answer.oauth_token, token_secret: answer.oauth_token_secret };
}
