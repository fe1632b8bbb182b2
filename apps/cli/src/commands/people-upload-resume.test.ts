/** Uploads of people that end early, and go on where they were. */
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FakeListOptions } from '../testing/fake-list.ts';
import { setUp } from '../testing/people-upload.ts';

/** Each row has a time of its own, so that a request holds 2,500 of them. */
function rowsOf(count: number): string {
  const lines = Array.from({ length: count }, (_, n) => {
    const time = new Date(Date.UTC(2026, 9, 1) + n * 1000).toISOString();
    return n % 1_000 === 999 ? `nobody,${time}` : `person${n}@example.com,${time}`;
  });
  return `email,effective_at\n${lines.join('\n')}\n`;
}

const ROWS = 8_000;
const SENT = ROWS - 8;
const gone = () => {
  throw new TypeError('fetch failed', {
    cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
  });
};

/** A server that is gone from the third request on until it is started again. */
function losing(more: FakeListOptions = {}) {
  const state = { isGone: true };
  const set = setUp(
    { 'people.csv': rowsOf(ROWS) },
    { before: (index) => (state.isGone && index >= 2 ? gone() : undefined), ...more },
  );
  const folder = path.join(set.cwd, 'config/broadside/uploads');
  return { ...set, state, folder, saved: () => (existsSync(folder) ? readdirSync(folder) : []) };
}

/** The times of all rows that were taken, each as often as it came. */
function timesOf({ list }: Pick<ReturnType<typeof setUp>, 'list'>): string[] {
  return list.requests.flat().map(({ params }) => params.effective_at ?? '');
}

describe('after the server was lost', () => {
  test('the same command goes on, and every row is taken once', async () => {
    const set = losing();
    const lost = await set.cli(['people.csv']);
    expect(lost).toMatchObject({ code: 5, stdout: '' });
    expect(lost.stderr).toMatch(
      /ECONNREFUSED\n {2}Is the server running\?.*\n {2}5,005 rows are acknowledged; the same command goes on there\.\n$/s,
    );
    expect(lost.stderr).not.toContain('may have taken effect');
    // Each of the two requests under way was tried eight times at most.
    expect(set.slept.length).toBeGreaterThanOrEqual(7);
    const [name = ''] = set.saved();
    const file = path.join(set.folder, name);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toMatch(/person|example|@/);

    set.state.isGone = false;
    const went = await set.cli(['people.csv', '--json']);
    expect(went.code).toBe(9);
    expect(went.stderr).toContain('Going on after 5,005 rows that are acknowledged; --restart begins anew.\n');
    expect(JSON.parse(went.stdout)).toMatchObject({ rows: ROWS, sent: SENT, refused: 8, requests: 4 });
    const times = timesOf(set);
    expect([times.length, new Set(times).size]).toEqual([SENT, SENT]);
    expect(set.saved()).toEqual([]);
    // Only the bad rows of the second run are reported by it.
    expect(went.stderr).toContain('"message":"3 problems; these rows were not sent:","lines":["line 6001, email: ');
  });

  test('what it had applied before is sent again unchanged', async () => {
    let lost = 0;
    const set = setUp({ 'people.csv': 'email\nann@example.com\n' });
    const fetch: typeof set.list.fetch = async (url, init) => {
      const response = await set.list.fetch(url, init);
      if (init.method === 'GET' || lost > 0) return response;
      lost += 1;
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
    };
    expect(await set.cli(['people.csv'], { fetch })).toMatchObject({ code: 0 });
    expect(set.list.requests).toHaveLength(2);
    expect(set.list.requests[1]).toEqual(set.list.requests[0]);
  });
});

describe('after ^C', () => {
  test('the same command goes on', async () => {
    let stop: (() => void) | undefined;
    let interrupts = true;
    const set = losing({
      before: (index) => {
        if (interrupts && index === 2) stop?.();
        return undefined;
      },
    });
    const onInterrupt = (given: () => void) => {
      stop = given;
    };
    const stopped = await set.cli(['people.csv'], { onInterrupt });
    expect(stopped).toMatchObject({ code: 130, stdout: '' });
    expect(stopped.stderr).toMatch(
      /broadside: Stopped\.\n {2}[\d,]+ rows are acknowledged; the same command goes on there\.\n$/,
    );
    interrupts = false;
    const taken = set.list.requests.length;
    const went = await set.cli(['people.csv', '--json'], { onInterrupt });
    expect(JSON.parse(went.stdout)).toMatchObject({ rows: ROWS, sent: SENT });
    expect(set.list.requests.length - taken).toBeLessThan(4);
    expect(new Set(timesOf(set)).size).toBe(SENT);
  });

  test('while waiting for the people to be matched nothing is left to send', async () => {
    const controller = { stop: () => {} };
    const set = setUp({ 'people.csv': 'email\nann@example.com\n' }, { processing: Number.POSITIVE_INFINITY });
    const outcome = await set.cli(['people.csv', '--wait'], {
      onInterrupt: (stop) => void Object.assign(controller, { stop }),
      sleep: async (_, signal) => {
        controller.stop();
        signal?.throwIfAborted();
      },
    });
    expect(outcome).toMatchObject({ code: 130, stdout: '' });
    expect(outcome.stderr).toContain('All rows are sent');
  });
});

describe('an upload that was cut off', () => {
  test.each<[string, (file: string) => void]>([
    ['has grown', (file) => appendFileSync(file, 'last@example.com,\n')],
    ['begins otherwise', (file) => writeFileSync(file, readFileSync(file, 'utf8').replace('person1@', 'person2@'))],
  ])('begins anew when the file %s', async (_, change) => {
    const set = losing();
    await set.cli(['people.csv']);
    change(path.join(set.cwd, 'people.csv'));
    set.state.isGone = false;
    const { stderr } = await set.cli(['people.csv']);
    expect(stderr).toContain('people.csv is not what it was when its upload began, so it is sent anew.\n');
    expect(timesOf(set).length).toBeGreaterThan(SENT + 4_000);
  });

  test.each<[string, readonly string[]]>([
    ['--restart', ['--restart']],
    ['another audience', ['--id', '2nmth']],
    ['another operation', ['--delete']],
    ['the sandbox', ['--sandbox', '--account-id', 'xyz']],
  ])('does not stand in the way of %s', async (_, flags) => {
    const set = losing();
    await set.cli(['people.csv']);
    set.state.isGone = false;
    const before = set.list.users.length;
    const words = flags.includes('--id') ? ['custom-audiences', 'upload', ...flags] : undefined;
    const outcome = await set.cli(['people.csv', ...flags], {}, words);
    expect(outcome.code).toBe(9);
    expect(set.list.users.length - before).toBe(SENT);
  });

  test('is kept in the file of --resume, and goes on from there also for stdin', async () => {
    const set = losing();
    const bytes = [Buffer.from(rowsOf(ROWS))];
    const lost = await set.cli(['-'], { bytes });
    expect(lost.stderr).toContain('With --resume FILE an upload from stdin can go on there.\n');
    expect(set.saved()).toEqual([]);
    set.list.requests.length = 0;
    await set.cli(['-', '--resume', 'state.json'], { bytes });
    // The server was gone at once, so that nothing is kept.
    expect(existsSync(path.join(set.cwd, 'state.json'))).toBe(false);

    const other = losing();
    await other.cli(['-', '--resume', 'state.json'], { bytes });
    expect(existsSync(path.join(other.cwd, 'state.json'))).toBe(true);
    other.state.isGone = false;
    const { stdout } = await other.cli(['-', '--resume', 'state.json', '--json'], { bytes });
    expect(JSON.parse(stdout)).toMatchObject({ rows: ROWS, sent: SENT });
    expect(timesOf(other)).toHaveLength(SENT);
    expect(existsSync(path.join(other.cwd, 'state.json'))).toBe(false);
  });

  test('whose state cannot be read is a mistake on the command line', async () => {
    const set = setUp({ 'people.csv': 'email\nann@example.com\n', 'state.json': 'email\nann@example.com\n' });
    const outcome = await set.cli(['people.csv', '--resume', 'state.json']);
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining('state.json') });
    // It may be a file of the user's.
    expect(readFileSync(path.join(set.cwd, 'state.json'), 'utf8')).toContain('ann@');
  });
});
