/** Command lines against a real platform: what reaches it, what comes back, and what is printed of it. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { cli, create, fundingInstrument, ok, operatorToken, platform, usePlatform } from './testing/real-platform.ts';

usePlatform();

test('what has no id is printed whole with --quiet', async () => {
  const criteria = JSON.stringify([{ targeting_type: 'BROAD_KEYWORD', targeting_value: 'books' }]);
  const stdout = await ok(['audience-estimate', 'create', '--sandbox', '--quiet', '--data', criteria]);
  expect(stdout).toBe('{"min":0,"max":1000}\n');
});

describe('one campaign', () => {
  test('is created, read, changed, emptied and deleted', async () => {
    const id = await create('Summer reading', '--entity_status', 'PAUSED');
    const shown = await ok(`campaigns get ${id} --sandbox`);
    expect(shown).toContain('daily_budget_amount_local_micro  55.00 USD\n');
    expect(shown).toContain('purchase_order_number            -\n');
    const json: unknown = JSON.parse(await ok(`campaigns get --campaign-id ${id} --sandbox --json`));
    expect(json).toMatchObject({ id, daily_budget_amount_local_micro: 55_000_000, entity_status: 'PAUSED' });
    await ok(['campaigns', 'update', id, '--sandbox', '--purchase-order-number', 'PO 7', '--no-standard-delivery']);
    expect(await ok(`campaigns get ${id} --sandbox`)).toMatch(
      /purchase_order_number +PO 7\n[\s\S]*standard_delivery +false\n/,
    );
    await ok(['campaigns', 'update', id, '--sandbox', '--purchase-order-number', '']);
    expect(await ok(`campaigns get ${id} --sandbox`)).toMatch(/purchase_order_number +-\n/);
    await ok(`campaigns delete ${id} --sandbox`);
    expect(await cli(`campaigns delete ${id} --sandbox`)).toEqual({
      code: 4,
      stdout: '',
      stderr:
        'broadside: campaigns.delete was rejected with 404\n  CAMPAIGN_NOT_FOUND campaign_id: The account has no campaign with this id\n',
    });
  });

  test('keeps amounts beyond 2^53 to the last digit', async () => {
    const id = await create('Large', '--total-budget-amount-local-micro', '9007199254740990000');
    expect(await ok(`campaigns get ${id} --sandbox --json`)).toContain(
      '"total_budget_amount_local_micro": 9007199254740990000,',
    );
    const data = '{"total_budget_amount_local_micro": 9007199254750010000}';
    expect(await ok(['campaigns', 'update', id, '--sandbox', '--data', data])).toContain('9007199254750.01 USD');
    await ok(`campaigns delete ${id} --sandbox`);
  });

  test('a name cannot steer the terminal', async () => {
    const id = await create('\u001b[2Jgone');
    expect(await ok('campaigns list --sandbox', { columns: 100 })).toContain('␛[2Jgone');
    await ok(`campaigns delete ${id} --sandbox`);
  });
});

describe('lists', () => {
  beforeAll(async () => {
    for (let i = 1; i <= 5; i++) await create(`List ${i}`);
  });

  test('one page by default, and how to go on', async () => {
    const { stdout, stderr } = await cli('campaigns list --sandbox --q List --count 2 --sort-by name-asc');
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/)[1])).toEqual(['NAME', 'List 1', 'List 2', undefined]);
    const cursor = /--cursor (\S+)/.exec(stderr)?.[1] ?? '';
    const next = await ok([
      'campaigns',
      'list',
      '--sandbox',
      '--q',
      'List',
      '--count',
      '2',
      '--sort-by',
      'name-asc',
      '--cursor',
      cursor,
    ]);
    expect(next).toContain('List 3');
  });

  test('--all and --limit go through the pages', async () => {
    const names = async (line: string) => {
      const list: unknown = JSON.parse(await ok(`campaigns list --sandbox --q List --sort-by name-asc --json ${line}`));
      return Array.isArray(list) ? list.map(({ name }: { name: string }) => name) : [];
    };
    expect(await names('--all --count 2')).toEqual(['List 1', 'List 2', 'List 3', 'List 4', 'List 5']);
    expect(await names('--limit 3 --count 2')).toEqual(['List 1', 'List 2', 'List 3']);
    expect(await names('--limit 3')).toEqual(['List 1', 'List 2', 'List 3']);
    expect((await ok('campaigns list --sandbox --q List --all --quiet --count 1')).trim().split('\n')).toHaveLength(5);
  });

  test('an empty list has no output: nothing on stdout, or an empty array', async () => {
    expect(await cli('campaigns list --sandbox --q nobody')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Nothing found.\n',
    });
    expect(await cli('campaigns list --sandbox --q nobody --json')).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  });

  test('--raw prints the whole response, --columns the requested columns', async () => {
    const raw: unknown = JSON.parse(await ok('campaigns list --sandbox --q List --count 1 --raw --with-total-count'));
    expect(raw).toMatchObject({ request: { params: { q: 'List', count: 1, with_total_count: true } }, total_count: 5 });
    const table = await ok(
      'campaigns list --sandbox --q List --count 1 --sort-by name-asc --columns name,daily-budget-amount-local-micro',
    );
    expect(table).toBe('NAME    DAILY BUDGET\nList 1     55.00 USD\n');
    expect((await cli('campaigns list --sandbox --count 1 --with-total-count')).stderr).toMatch(/^\d+ in all\n/);
  });
});

describe('batches', () => {
  test('are read from a file or stdin, and print their entities', async () => {
    const operations = [
      {
        operation_type: 'Create',
        params: {
          funding_instrument_id: fundingInstrument(),
          name: 'Batch 1',
          daily_budget_amount_local_micro: 1_000_000,
        },
      },
      {
        operation_type: 'Create',
        params: {
          funding_instrument_id: fundingInstrument(),
          name: 'Batch 2',
          daily_budget_amount_local_micro: 1_000_000,
        },
      },
    ];
    const file = path.join(platform().directory, 'ops.json');
    writeFileSync(file, JSON.stringify(operations));
    expect(await ok('campaigns batch --sandbox --file ops.json')).toMatch(/^ID .*\n\S+ +Batch 1 .*\n\S+ +Batch 2 /);
    expect(
      (await ok('campaigns batch --sandbox --file - --quiet', { stdin: JSON.stringify(operations) }))
        .trim()
        .split('\n'),
    ).toHaveLength(2);
  });

  test('are rejected as a whole, each reason at its index', async () => {
    const data =
      '[{"operation_type":"Delete","params":{"campaign_id":"nope"}},{"operation_type":"Create","params":{"name":"x"}}]';
    const { code, stdout, stderr } = await cli(['campaigns', 'batch', '--sandbox', '--data', data]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      'broadside: campaigns.batch was rejected with 400\n' +
        '  operations[0] CAMPAIGN_NOT_FOUND campaign_id: The account has no campaign with this id\n' +
        '  operations[1] MISSING_PARAMETER funding_instrument_id: "funding_instrument_id" is a required parameter\n',
    );
  });
});

describe('features, on the sandbox by default', () => {
  test('lists are given with commas or again', async () => {
    const added = await ok('features add --feature-keys AGE_TARGETING,BRAND_TPN --feature_keys DR_TAP');
    expect(added.split('\n')).toEqual(expect.arrayContaining(['AGE_TARGETING', 'BRAND_TPN', 'DR_TAP']));
    const removed: unknown = JSON.parse(await ok('features remove --feature-keys BRAND_TPN --json'));
    expect(removed).toEqual(expect.not.arrayContaining(['BRAND_TPN']));
  });
});

describe('api', () => {
  test('signs anything, prints the body as it came, and ends by the status', async () => {
    const { code, stdout, stderr } = await cli('api GET /12/accounts count=1');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ request: { params: { count: 1 } } });
    const account = platform().credentials.sandbox_account_id;
    const put = await ok(['api', 'put', `/12/accounts/${account}`, '--sandbox', 'name=A & B+ü']);
    expect(put).toContain('"name":"A & B+ü"');
    const sent = await ok(['api', 'PUT', `/12/accounts/${account}`, '--sandbox', '--data', '{"name":"By JSON"}'], {
      columns: 80,
    });
    expect(sent).toContain('  "data": {\n');
    expect(await cli('api /12/nope')).toMatchObject({
      code: 4,
      stdout: expect.stringContaining('ROUTE_NOT_FOUND'),
      stderr: expect.stringContaining('answered 404'),
    });
    expect(await ok('api GET /health --base')).toBe('{"status":"ok"}\n');
  });

  test('--include adds status and headers', async () => {
    expect(await ok('api /12/accounts --include')).toMatch(
      /^HTTP 200\n[\s\S]*content-type: application\/json[\s\S]*\n\n\{/,
    );
  });
});

test('rejected credentials are reported with their source', async () => {
  const file = path.join(platform().directory, 'wrong.json');
  writeFileSync(file, JSON.stringify({ ...platform().credentials, access_token_secret: 'wrong' }));
  const { code, stderr } = await cli(`accounts list --credentials ${file}`);
  expect(code).toBe(3);
  expect(stderr).toMatch(
    /^broadside: accounts.list was rejected with 401\n {2}UNAUTHORIZED_ACCESS: .*\n {2}`broadside auth status`/,
  );
});

test('auth status --check asks the server', async () => {
  expect(await cli('auth status --check --sandbox')).toMatchObject({
    code: 0,
    stderr: 'The server accepts them (sandbox).\n',
  });
});

describe('posts', () => {
  let author: string;
  let first: string;
  let second: string;

  beforeAll(async () => {
    author = platform().credentials.user_id;
    const admin = { env: { BROADSIDE_OPERATOR_TOKEN: operatorToken } };
    const post = async (text: string) =>
      (await ok(['admin', 'posts', 'create', '--quiet', '--user-id', author, '--text', text], admin)).trim();
    first = await post('Autumn reading is in #books');
    second = await post('Two words');
    await ok(['admin', 'posts', 'like', '--user-id', author, '--post-id', first], admin);
  });

  test('are shown in a table with their authors; missing ones are reported on stderr', async () => {
    const { code, stdout, stderr } = await cli(`posts lookup --ids ${second},1,${first}`);
    expect([code, stderr]).toEqual([0, 'Could not find post with ids: [1].\n']);
    const name = `@${platform().credentials.screen_name}`;
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['ID', 'AUTHOR', 'TEXT'],
      [second, name, 'Two words'],
      [first, name, 'Autumn reading is in #books'],
      [''],
    ]);
  });

  test('are the whole answer with --json, and ids with --quiet', async () => {
    const line = `posts lookup --ids ${first},1 --post-fields public_metrics --expansions author_id --user-fields verified`;
    const { code, stdout, stderr } = await cli(`${line} --json`);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      data: [{ id: first, author_id: author, public_metrics: { like_count: 1 } }],
      includes: { users: [{ id: author, verified: false }] },
      errors: [{ resource_id: '1', title: 'Not Found Error' }],
    });
    expect(await ok(`posts lookup --ids ${first},${second} --quiet`)).toBe(`${first}\n${second}\n`);
    const columns = await ok(`posts lookup --ids ${first} --post-fields lang,source --columns id,source`);
    expect(columns).toMatch(/^ID +SOURCE\n\d+ +Broadside\n$/);
  });

  test('that are not visible end the command with the respective exit code', async () => {
    expect(await cli('posts lookup --ids 1,2')).toEqual({
      code: 4,
      stdout: '',
      stderr:
        'broadside: Nothing of it can be shown:\n  Could not find post with ids: [1].\n  Could not find post with ids: [2].\n',
    });
  });

  test('are read as the app, and as the user on request', async () => {
    const sent: string[] = [];
    const fetch = (url: string, init: RequestInit) => {
      sent.push(new Headers(init.headers).get('authorization')?.split(' ')[0] ?? '');
      return platform().fetch(url, init);
    };
    const line = `posts lookup --ids ${first} --post-fields non_public_metrics`;
    const asApp = await cli(line, { fetch });
    expect(asApp.stderr).toContain('not authorized to see the field non_public_metrics');
    const asUser = await cli(`${line} --as-user --json`, { fetch });
    expect(JSON.parse(asUser.stdout)).toMatchObject({ data: [{ non_public_metrics: { impression_count: 0 } }] });
    expect(sent).toEqual(['Bearer', 'OAuth']);
  });

  test('with invalid parameters are not requested', async () => {
    const { code, stderr } = await cli('posts lookup --ids 1,x --post-fields bogus');
    expect(code).toBe(2);
    expect(stderr).toContain('--ids: The `ids` query parameter value [x] does not match ^[0-9]{1,19}$');
    expect(stderr).toContain('--post-fields: The `post.fields` query parameter value [bogus] is not one of [article,');
    expect((await cli('posts lookup')).stderr).toContain('--ids <id,...>');
  });
});
