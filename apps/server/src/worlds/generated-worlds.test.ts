/** Worlds of generated people and posts: what is in them, that nobody else waits for them, and what is left when their making ends early. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'libsql';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { signed } from './testing/signed.ts';
import { startWorlds, type WorldsServer, worldsServer } from './testing/worlds-server.ts';

/** People and posts beside the demo, by their ids and texts. */
function contentOf({ directory }: WorldsServer, id: string) {
  const database = new Sqlite(path.join(directory, 'snapshots', id, 'origin', 'platform.db'), { readonly: true });
  try {
    const people = database.prepare('SELECT id, screen_name, name, created_at FROM users ORDER BY id').raw().all();
    const posts = database.prepare('SELECT id, author_id, text, created_ms FROM posts ORDER BY id').raw().all();
    return { people, posts };
  } finally {
    database.close();
  }
}

const small = { users: 5, posts: 20 };

describe('a generated world', () => {
  it('has the people and posts of its options beside the demo, the same ones for the same options', async () => {
    const server = await worldsServer();
    const { control } = server;
    const create = async (body: object) => (await control('POST', '/worlds', body)).body.data;
    const demo = contentOf(server, (await create({ seed: 'a' })).id);
    const one = await create({ seed: 'a', from: { generate: { ...small, seed: 'spring' } } });
    expect(one).toMatchObject({ origin: 'GENERATED', seed: 'a', origin_id: null });
    const whole = contentOf(server, one.id);
    expect(whole.people.length).toBe(demo.people.length + small.users);
    expect(whole.posts.length).toBe(demo.posts.length + small.posts);
    const again = await create({ seed: 'a', from: { generate: { ...small, seed: 'spring' } } });
    expect(contentOf(server, again.id)).toEqual(whole);
    const other = await create({ from: { generate: { ...small, seed: 'autumn' } } });
    expect(contentOf(server, other.id).posts.length).toBe(whole.posts.length);
    expect(contentOf(server, other.id)).not.toEqual(whole);
    // All of it happened before the time at which its clock stands.
    const now = Date.parse((await control('GET', `/worlds/${one.id}/clock`)).body.data.now);
    const database = new Sqlite(path.join(server.directory, 'worlds', one.id, 'platform.db'), { readonly: true });
    const later = database.prepare('SELECT id FROM posts WHERE created_ms > ?').raw().all(now);
    database.close();
    expect(later).toEqual([]);
    // It serves, and it can be copied as others can.
    expect((await signed(one.credentials, 'GET', '/12/accounts')).status).toBe(200);
    const fork = (await control('POST', `/worlds/${one.id}/fork`, {})).body.data;
    expect(contentOf(server, fork.id)).toEqual(whole);
    expect((await control('POST', `/worlds/${one.id}/reset`, {})).status).toBe(200);
  }, 600_000);

  it('is rejected with the name of the option that is wrong', async () => {
    const { control, directory } = await worldsServer();
    const cases: readonly [options: unknown, parameter: string, message: RegExp][] = [
      [{ users: 0 }, 'from.generate.users', /1 to 100000|greater than zero/],
      [{ users: 100_001 }, 'from.generate.users', /100000/],
      [{ posts: -1 }, 'from.generate.posts', /0 to 1000000/],
      [{ posts: 1_000_001 }, 'from.generate.posts', /1000000/],
      [{ until: 'yesterday' }, 'from.generate.until', /time/],
      [{ until: '2021-12-31T23:59:59Z' }, 'from.generate.until', /from 2022 to 2100/],
      [{ seed: 'x'.repeat(201) }, 'from.generate.seed', /200/],
      [{ user: 5 }, 'from.generate', /"user" is no member/],
      [true, 'from.generate', /./],
    ];
    for (const [generate, parameter, message] of cases) {
      const { status, body } = await control('POST', '/worlds', { from: { generate } });
      const said = JSON.stringify({ generate, body });
      expect.soft(status, said).toBe(400);
      expect.soft(body.errors[0].code, said).toBe('INVALID_PARAMETER');
      expect.soft(`${body.errors[0].parameter} ${body.errors[0].message}`, said).toContain(parameter);
      expect.soft(body.errors[0].message, said).toMatch(message);
    }
    const two = await control('POST', '/worlds', { from: { generate: {}, demo: true } });
    expect(two.body.errors[0].message).toMatch(/exactly one .*generate.*got demo and generate|got generate and demo/);
    expect(placesOf(directory)).toEqual([]);
  });

  it('is generated beside the thread that serves, which hardly works for it', async () => {
    const { control } = await worldsServer();
    const costOf = async (generate: object) => {
      const [whole, own] = [process.cpuUsage(), process.threadCpuUsage()];
      expect((await control('POST', '/worlds', { from: { generate } })).status).toBe(200);
      const of = ({ user, system }: NodeJS.CpuUsage) => user + system;
      return { whole: of(process.cpuUsage(whole)), own: of(process.threadCpuUsage(own)) };
    };
    await costOf(small);
    const [little, much] = [await costOf(small), await costOf({ users: 1000, posts: 8000 })];
    // What the rows cost, beside what every world costs; as processor time, which other load on the machine leaves alone.
    expect(much.own - little.own).toBeLessThan((much.whole - little.whole) / 4);
  }, 600_000);

  it('leaves nothing behind when the server ends before it is whole', async () => {
    const directory = temporaryDirectory();
    const first = await startWorlds(directory);
    const making = first.control('POST', '/worlds', { from: { generate: { users: 50_000, posts: 500_000 } } });
    await expect.poll(() => placesOf(directory)).toHaveLength(1);
    await first.server.close();
    expect((await making).status).toBe(503);
    const second = await startWorlds(directory);
    expect((await second.control('GET', '/worlds')).body.data).toHaveLength(1);
    await expect.poll(() => placesOf(directory)).toEqual([]);
    await second.server.close();
  }, 600_000);
});

/** Directories of how worlds began, but for the default one. */
function placesOf(directory: string): readonly string[] {
  const root = path.join(directory, 'snapshots');
  const names = existsSync(root) ? readdirSync(root).filter((name) => name !== 'default') : [];
  return names.filter((name) => existsSync(path.join(root, name, 'origin')));
}
