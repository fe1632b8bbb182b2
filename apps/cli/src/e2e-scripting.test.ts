/** The features for scripts and shells, against a real platform. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { cli, create, ok, platform, usePlatform } from './testing/real-platform.ts';
import { emptyDirectory } from './testing/run-cli.ts';

usePlatform();

describe('--query', () => {
  test('selects from lists over all pages, from one entity, and from raw answers', async () => {
    const ids = [await create('First of three'), await create('Second of three'), await create('Third of three')];
    const names = "[?contains(name, 'of three')].name | sort(@)";
    const words = ['campaigns', 'list', '--sandbox', '--count', '2', '--all', '--query', names];
    expect(JSON.parse(await ok(words))).toEqual(['First of three', 'Second of three', 'Third of three']);
    expect(await ok(['campaigns', 'get', ids[0] ?? '', '--sandbox', '--query', 'name'])).toBe('First of three\n');
    const raw = ['campaigns', 'get', ids[0] ?? '', '--sandbox', '--raw', '--query', 'request.params.campaign_id'];
    expect(await ok(raw)).toBe(`${ids[0]}\n`);
    expect(await ok(['api', 'GET', '/12/accounts', '--sandbox', '--query', 'length(data)'])).toBe('1\n');
    expect(await ok(['campaigns', 'get', ids[0] ?? '', '--sandbox', '--query', 'frequency_cap'])).toBe('null\n');
  });

  test('compares amounts, and keeps every digit of those that it cannot compare', async () => {
    const id = await create('Large', '--total-budget-amount-local-micro', '9223372036854775807');
    const amounts = '[daily_budget_amount_local_micro, total_budget_amount_local_micro]';
    const printed = await ok(['campaigns', 'get', id, '--sandbox', '--query', amounts]);
    expect(printed).toBe('[\n  55000000,\n  9223372036854775807\n]\n');
    const more = '[?daily_budget_amount_local_micro > `54000000`] | length(@) > `0`';
    expect(await ok(['campaigns', 'list', '--sandbox', '--query', more])).toBe('true\n');
  });

  test('a mistake in it is reported before anything is sent', async () => {
    const fetch = async () => expect.fail('a request was sent');
    for (const query of ['[?a > 1]', '[', 'nonsuch(@)', '']) {
      const { code, stderr } = await cli(['campaigns', 'list', '--query', query], { fetch });
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('--query cannot be used') });
    }
    expect(await cli('campaigns list --query a --quiet', { fetch })).toMatchObject({ code: 2 });
    expect((await cli('campaigns list --query a --columns id', { fetch })).stderr).toContain('--columns is for tables');
  });
});

describe('errors for programs', () => {
  const errorOf = ({ stderr }: { readonly stderr: string }): unknown => JSON.parse(stderr);

  test('a rejection is one line of JSON with all that the server said', async () => {
    const words = ['campaigns', 'create', '--sandbox', '--name', 'x', '--funding-instrument-id', 'nope', '--json'];
    const outcome = await cli(words);
    expect(outcome).toMatchObject({ code: 4, stdout: '', stderr: expect.stringMatching(/^[^\n]+\n$/) });
    expect(errorOf(outcome)).toEqual({
      error: {
        kind: 'notFound',
        exit_code: 4,
        message: 'campaigns.create was rejected with 404',
        lines: [expect.stringContaining('FUNDING_INSTRUMENT_NOT_FOUND')],
        operation: 'campaigns.create',
        status: 404,
        errors: [expect.objectContaining({ code: 'FUNDING_INSTRUMENT_NOT_FOUND', parameter: 'funding_instrument_id' })],
      },
    });
    const batch = [
      'campaigns',
      'batch',
      '--sandbox',
      '--data',
      '[{"operation_type":"Delete","params":{"campaign_id":"zzz"}}]',
    ];
    expect(errorOf(await cli([...batch, '--json']))).toMatchObject({
      error: { operation_errors: [[{ code: 'CAMPAIGN_NOT_FOUND' }]] },
    });
  });

  test('mistakes on the command line too, whichever flag asks for JSON', async () => {
    for (const flag of ['--json', '--raw', '--query=a', '--json=true']) {
      const outcome = await cli(['campaigns', 'list', '--nonsuch', flag]);
      expect(errorOf(outcome)).toMatchObject({ error: { kind: 'usage', exit_code: 2 } });
    }
    expect((await cli('campaigns list --nonsuch --json=false')).stderr).toMatch(/^broadside: /);
  });
});

describe('api --dry-run', () => {
  test('prints a command that carries the same request, and sends nothing', async () => {
    const words = [
      'api',
      'PUT',
      `/12/accounts/${platform().credentials.sandbox_account_id}`,
      '--sandbox',
      "name=It's ours",
    ];
    const line = await ok([...words, '--dry-run'], { fetch: async () => expect.fail('a request was sent') });
    const [, url = ''] = / -X PUT (\S+) /.exec(line) ?? [];
    const headers = Object.fromEntries(
      Array.from(line.matchAll(/-H '([^:']+): ([^']+)'/g), ([, name = '', value = '']) => [name, value]),
    );
    const [, body = ''] = /--data-raw '?([^\n']+?)'?\n/.exec(line) ?? [];
    expect(body).toBe('name=It%27s%20ours');
    const answer = await platform().fetch(url, { method: 'PUT', headers, body });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      expect.objectContaining({ data: expect.objectContaining({ name: "It's ours" }) }),
    ]);
    expect(await cli([...words, '--dry-run', '--include'])).toMatchObject({ code: 2 });
  });
});

describe('env', () => {
  test('the credentials in each format, by the environment that was asked for', async () => {
    const { sandbox_account_id, account_id, consumer_secret, ads_sandbox_base_url } = platform().credentials;
    const json = JSON.parse(await ok('env --json'));
    expect(json).toMatchObject({ BROADSIDE_ACCOUNT_ID: account_id, BROADSIDE_CONSUMER_SECRET: consumer_secret });
    expect(json).not.toHaveProperty('BROADSIDE_OPERATOR_TOKEN');
    expect(JSON.parse(await ok('env --json --sandbox'))).toMatchObject({
      BROADSIDE_ACCOUNT_ID: sandbox_account_id,
      BROADSIDE_ADS_URL: ads_sandbox_base_url,
    });
    expect(await ok('env')).toContain(`export BROADSIDE_CONSUMER_SECRET='${consumer_secret}'\n`);
    expect(await ok('env --format fish')).toContain(`set -gx BROADSIDE_CONSUMER_SECRET '${consumer_secret}'\n`);
    expect(await ok('env --format dotenv')).toContain(`BROADSIDE_CONSUMER_SECRET=${consumer_secret}\n`);
    expect(await cli('env --format yaml')).toMatchObject({ code: 2, stderr: expect.stringContaining('"yaml"') });
    const token = { BROADSIDE_OPERATOR_TOKEN: 'token-of-24-characters-or-more' };
    expect(JSON.parse(await ok('env --json --operator', { env: token }))).toMatchObject(token);
  });
});

describe('completion offers ids', () => {
  const complete = async (words: readonly string[], cache: string) =>
    (await ok(['__complete', '--', ...words], { env: { XDG_CACHE_HOME: cache } }))
      .split('\n')
      .filter((line) => line !== '');

  test('with names, as words, flags and parts of lists, and asks once', async () => {
    const cache = emptyDirectory();
    const id = await create('Completed');
    const line = `${id}\tCompleted`;
    expect(await complete(['campaigns', 'get', '--sandbox', ''], cache)).toContain(line);
    expect(await complete(['line-items', 'create', '--sandbox', '--campaign-id', id.slice(0, 1)], cache)).toContain(
      line,
    );
    expect(await complete(['campaigns', 'update', '--sandbox', `--campaign-id=${id}`], cache)).toEqual([line]);
    const list = ['campaigns', 'list', '--sandbox', '--campaign-ids', `zzz,${id}`];
    expect(await complete(list, cache)).toEqual([`zzz,${id}\tCompleted`, ':open']);
    const account = platform().credentials.sandbox_account_id;
    expect(await complete(['campaigns', 'list', '--sandbox', '--account-id', ''], cache)).toEqual([
      expect.stringMatching(new RegExp(`^${account}\t`)),
    ]);
    const files = readdirSync(path.join(cache, 'broadside/completion'));
    expect(files).toHaveLength(2);
    expect(statSync(path.join(cache, 'broadside/completion', files[0] ?? '')).mode & 0o777).toBe(0o600);
    // What was found is offered again without a server.
    const env = { XDG_CACHE_HOME: cache };
    const gone = await cli(['__complete', '--', 'campaigns', 'get', '--sandbox', id], {
      env,
      fetch: async () => expect.fail('a request was sent'),
    });
    expect(gone.stdout).toBe(`${line}\n`);
  });

  test('of the environment that is typed, and none without credentials or server', async () => {
    const cache = emptyDirectory();
    const id = await create('Of the sandbox');
    expect(await complete(['campaigns', 'get', '--no-sandbox', id], cache)).toEqual([]);
    const fetch = async () => Promise.reject(new TypeError('fetch failed'));
    const env = { XDG_CACHE_HOME: emptyDirectory() };
    expect(await cli(['__complete', '--', 'campaigns', 'get', '--sandbox', ''], { env, fetch })).toMatchObject({
      code: 0,
      stderr: '',
    });
  });
});
