/** The operator's commands against a real platform. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { cli, ok, operatorToken, platform, usePlatform } from './testing/real-platform.ts';

usePlatform();

describe('admin', () => {
  const env = { BROADSIDE_OPERATOR_TOKEN: operatorToken };

  test('makes a user, an app, a token, and an account that the token opens', async () => {
    const user = await ok('admin users create --screen-name ann --password - --quiet', {
      env,
      stdin: 'correct horse\n',
    });
    const user_id = user.trim();
    const app = await ok(['admin', 'apps', 'create', '--name', 'Desk of ann', '--owner-user-id', user_id], { env });
    const [, consumer_key = ''] = /^consumer_key +(\S+)$/m.exec(app) ?? [];
    const [, consumer_secret = ''] = /^consumer_secret +(\S+)$/m.exec(app) ?? [];
    const token: unknown = JSON.parse(
      await ok(`admin tokens create --consumer-key ${consumer_key} --user-id ${user_id} --json`, { env }),
    );
    const account = await ok(
      ['admin', 'accounts', 'create', '--user-id', user_id, '--name', 'Of ann', '--sandbox', '--quiet'],
      { env },
    );
    await ok(
      `admin funding-instruments create --environment sandbox --account-id ${account.trim()} --type CREDIT_CARD --currency EUR --start-time 2026-01-01`,
      { env },
    );
    const file = path.join(platform().directory, 'ann.json');
    const { ads_sandbox_base_url } = platform().credentials;
    writeFileSync(file, JSON.stringify({ ads_sandbox_base_url, consumer_key, consumer_secret, ...Object(token) }));
    const accounts = await ok(`accounts list --sandbox --quiet --credentials ${file}`);
    expect(accounts).toBe(account);
    expect(await ok('admin users list', { env })).toContain('ann');
  });

  test('asks for a password twice, and never echoes it', async () => {
    const typed = await cli('admin users create --screen-name ben', {
      env,
      typed: ['long enough', 'long enough'],
      columns: 80,
    });
    expect(typed).toMatchObject({ code: 0, stderr: 'Password: Again: ' });
    expect(typed.stdout).not.toContain('long enough');
    const differ = await cli('admin users create --screen-name cleo', {
      env,
      typed: ['long enough', 'other'],
      columns: 80,
    });
    expect(differ).toMatchObject({ code: 2, stderr: 'Password: Again: broadside: The two passwords differ\n' });
    expect(await cli('admin users create --screen-name cleo', { env })).toMatchObject({ code: 2 });
  });

  test('lists accounts and shows one: who may use it, where it is and what it has', async () => {
    const { credentials, user } = platform();
    const account_id = credentials.sandbox_account_id;
    const listed = await cli('admin accounts list --sandbox', { env, columns: 100 });
    expect(listed.stdout).toMatch(/^ID +NAME +STATE +SHARD +USERS +CREATED AT$/m);
    expect(listed.stdout).toMatch(new RegExp(`^${account_id} .* ACTIVE +directory +1 `, 'm'));
    const shown = await cli(`admin accounts show --sandbox --account-id ${account_id}`, { env, columns: 80 });
    expect(shown.stdout).toMatch(new RegExp(`^users +${user.user_id}  \\S+  ACCOUNT_ADMIN$`, 'm'));
    expect(shown.stdout).toMatch(/FUNDING_INSTRUMENT {2}1$/m);
  });

  test('ends with 4 where there is nothing of an id, and says in which environment there is', async () => {
    expect(await cli('admin users get --user-id 99', { env })).toMatchObject({ code: 4 });
    const elsewhere = await cli(`admin accounts show --account-id ${platform().credentials.sandbox_account_id}`, {
      env,
    });
    expect(elsewhere).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('in production; it is one of sandbox'),
    });
    expect(await cli('accounts get --account-id nosuch --sandbox')).toMatchObject({ code: 4 });
    expect(await cli('admin users update --user-id 99 --gender 1', { env })).toMatchObject({ code: 4 });
  });

  test('lists people a page after the other', async () => {
    const cut = await cli('admin users list --count 1', { env });
    expect(cut.stderr).toMatch(
      /^More follow: --all lists everything, --limit so many. The next page:\n {2}--cursor \S+\n$/,
    );
    const [, cursor = ''] = /--cursor (\S+)/.exec(cut.stderr) ?? [];
    const next = await ok(`admin users list --count 1 --quiet --cursor ${cursor}`, { env });
    const all = await cli('admin users list --count 1 --all --quiet', { env });
    expect(all).toMatchObject({ code: 0, stderr: '' });
    expect(all.stdout.split('\n')[1]).toBe(next.trim());
  });

  test('says which kinds of entity there are where a kind of changes is misspelt', async () => {
    const near = await cli('admin audit --entity CAMPAING', { env });
    expect(near).toMatchObject({ code: 1, stderr: expect.stringContaining('did you mean CAMPAIGN?') });
    expect((await cli('admin audit --entity WHAT', { env })).stderr).toContain('there are ACCESS_TOKEN, ACCOUNT, ');
  });

  test('shows on a terminal who changed what', async () => {
    const user_id = platform().user.user_id;
    await ok(['admin', 'users', 'suspend', '--user-id', user_id, '--reason', 'Looks odd'], { env });
    await ok(`admin users restore --user-id ${user_id}`, { env });
    const { stdout } = await cli(`admin audit --entity USER --entity-id ${user_id} --count 2`, { env, columns: 80 });
    expect(stdout).toMatch(new RegExp(`^\\S+Z UPDATE USER ${user_id} by OPERATOR$`, 'm'));
    expect(stdout).toMatch(/^ {2}suspended_reason: "Looks odd" -> null$/m);
    expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true);
    const none = await cli('admin audit --user-id 99', { env, columns: 80 });
    expect(none).toMatchObject({ code: 0, stdout: '', stderr: 'Nothing found.\n' });
  });

  test('names the flag where an export cannot be written', async () => {
    const line = `admin users export --user-id ${platform().user.user_id} --force --out`;
    const { directory } = platform();
    expect(await cli(`${line} ${directory}`, { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--out is the directory'),
    });
    expect(await cli(`${line} nowhere/person.jsonl`, { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--out is in nowhere, and there is no such directory'),
    });
  });

  test('changes a user, and does not prompt for a password unless it changes', async () => {
    const user_id = platform().user.user_id;
    const renamed = await cli(`admin users update --user-id ${user_id} --name Renamed`, { env, columns: 80 });
    expect(renamed).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^name +Renamed$/m) });
    const line = `admin users update --user-id ${user_id} --password -`;
    expect(await cli(line, { env, stdin: 'another long one\n' })).toMatchObject({ code: 0, stderr: '' });
    const typed = ['another long one', 'another long one'];
    expect(await cli(line, { env, typed, columns: 80 })).toMatchObject({ code: 0, stderr: 'Password: Again: ' });
    expect(await cli(line, { env, stdin: 'short' })).toMatchObject({
      code: 2,
      stderr: expect.not.stringContaining('short"'),
    });
  });

  test('changes an app: addresses with commas are not split, a list replaces the one before, and an empty one empties it', async () => {
    const urls = ['https://app.example.com/callback?a=1,2', 'myapp://cb'];
    const flags = urls.flatMap((url) => ['--callback-urls', url]);
    const words = ['admin', 'apps', 'create', '--name', 'Of two', '--owner-user-id', platform().user.user_id, ...flags];
    const made = await cli([...words, '--json'], { env });
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const { consumer_key, consumer_secret, callback_urls } = JSON.parse(made.stdout);
    expect(callback_urls).toEqual(urls);
    const app = `--consumer-key ${consumer_key}`;
    expect(await ok(`admin apps get ${app}`, { env })).toMatch(
      /^callback_urls {4}https:\/\/app\.example\.com\/callback\?a=1,2\n {17}myapp:\/\/cb$/m,
    );
    expect(await ok(`admin apps update ${app} --callback-urls myapp://other`, { env })).toMatch(
      /^callback_urls +myapp:\/\/other$/m,
    );
    expect(
      await ok(['admin', 'apps', 'update', '--consumer-key', consumer_key, '--callback-urls', ''], { env }),
    ).toMatch(/^callback_urls +-$/m);
    expect(await cli(`admin apps update ${app} --callback-urls javascript:x`, { env })).toMatchObject({ code: 1 });
    const anew = await cli(`admin apps regenerate-keys ${app}`, { env });
    expect(anew).toMatchObject({ code: 0, stderr: 'Keep consumer_secret: it is shown this once and never again.\n' });
    expect(anew.stdout).not.toContain(consumer_secret);
    expect(await cli(`admin apps get ${app}`, { env })).toMatchObject({ code: 4 });
  });

  test('is closed without the right token', async () => {
    expect(await cli('admin users list')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('BROADSIDE_OPERATOR_TOKEN'),
    });
    expect(await cli('admin users list', { env: { BROADSIDE_OPERATOR_TOKEN: 'x'.repeat(24) } })).toMatchObject({
      code: 3,
      stdout: '',
    });
  });

  test('reports why it was rejected', async () => {
    expect(await cli('admin apps create --name Lost --owner-user-id 1', { env })).toEqual({
      code: 4,
      stdout: '',
      stderr:
        'broadside: admin.apps.create was rejected with 403\n  USER_NOT_FOUND owner_user_id: No user with this id exists\n',
    });
  });
});
