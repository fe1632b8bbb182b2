import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { cpSync, existsSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { campaignNames, createCampaign, signedRequest } from './testing/signed.ts';
import { worldsServer } from './testing/worlds-server.ts';

/** Names of files of a server that come and go. */
const passing = (name: string) => name.endsWith('-wal') || name.endsWith('-shm') || name === 'replacing';

describe('the default world', () => {
  it('is reset to how it began and restored to a snapshot, with the same credentials, and a restart finds it so', async () => {
    const directory = temporaryDirectory();
    const { control, server } = await worldsServer(directory);
    const { credentials } = (await control('GET', '/worlds/default')).body.data;
    const files = () => readdirSync(directory).filter((name) => !passing(name));
    const before = files();
    const began = await campaignNames(credentials);
    await createCampaign(credentials, 'One');
    const { id: snapshot_id } = (await control('POST', '/worlds/default/snapshots', { name: 'with one' })).body.data;
    await createCampaign(credentials, 'Two');
    const restored = await control('POST', '/worlds/default/restore', { snapshot_id });
    expect(restored).toMatchObject({ status: 200, body: { data: { id: 'default', credentials } } });
    expect(await campaignNames(credentials)).toEqual([...began, 'One'].sort());
    const reset = await control('POST', '/worlds/default/reset', {});
    expect(reset).toMatchObject({ status: 200, body: { data: { id: 'default', state: 'OPEN', credentials } } });
    expect(await campaignNames(credentials)).toEqual(began);
    // It is a world like before: it is written, listed, copied and replaced again.
    await createCampaign(credentials, 'Three');
    expect((await control('POST', '/worlds/default/reset', { snapshot_id })).status).toBe(200);
    expect(await campaignNames(credentials)).toEqual([...began, 'One'].sort());
    await createCampaign(credentials, 'Four');
    const fork = (await control('POST', '/worlds/default/fork', {})).body.data;
    expect(await campaignNames(fork.credentials)).toEqual([...began, 'Four', 'One'].sort());
    expect((await fetch(`${server.urls.api}/ready`)).status).toBe(200);
    expect(files()).toEqual(
      [...before, 'snapshots', 'worlds'].sort().filter((name, at, all) => all.indexOf(name) === at),
    );
    expect(existsSync(path.join(directory, 'replacing'))).toBe(false);
    await server.close();
    const again = await worldsServer(directory);
    const { credentials: later } = (await again.control('GET', '/worlds/default')).body.data;
    expect(await campaignNames(later)).toEqual([...began, 'Four', 'One'].sort());
    expect(later.consumer_key).toBe(credentials.consumer_key);
  });

  it('answers what comes in while it is replaced, from before or from after, and keeps no used nonce free', async () => {
    const { control, server } = await worldsServer();
    const { credentials } = (await control('GET', '/worlds/default')).body.data;
    const began = await campaignNames(credentials);
    await createCampaign(credentials, 'Gone');
    const before = [...began, 'Gone'].sort();
    const used = await signedRequest(credentials, 'GET', '/12/accounts');
    expect((await fetch(used.url, used.init)).status).toBe(200);
    const resetting = control('POST', '/worlds/default/reset', {});
    const seen: (readonly string[])[] = [];
    let isDone = false;
    const reading = async () => {
      while (!isDone) seen.push(await campaignNames(credentials));
    };
    const readers = [reading(), reading(), reading()];
    expect((await resetting).status).toBe(200);
    isDone = true;
    await Promise.all(readers);
    for (const names of seen) expect([before.join(), began.join()]).toContain(names.join());
    expect(await campaignNames(credentials)).toEqual(began);
    const replayed = await fetch(used.url, used.init);
    expect(replayed.status).toBe(401);
    expect((await fetch(`${server.urls.api}/ready`)).status).toBe(200);
  });

  it('has a call wait that arrives between its two states, and answers it from the new one', async () => {
    const { control, server } = await worldsServer();
    const { credentials } = (await control('GET', '/worlds/default')).body.data;
    const began = await campaignNames(credentials);
    await createCampaign(credentials, 'Gone');
    const late = Promise.withResolvers<readonly string[]>();
    let isClosing = false;
    let isAnswered = false;
    // The stores of the world that is there close once the call has arrived and has had its turns.
    const arrived = new Promise<void>((resolve) => {
      const look = () => {
        if (!isClosing) return;
        unsubscribe('http.server.request.start', look);
        let turns = 20;
        const pass = () => (turns-- > 0 ? setImmediate(pass) : resolve());
        pass();
      };
      subscribe('http.server.request.start', look);
      onTestFinished(() => void unsubscribe('http.server.request.start', look));
    });
    const closing = server.world.keepOpen(async () => {
      await arrived;
      return isAnswered;
    });
    server.world.onClose(() => {
      isClosing = true;
      const names = campaignNames(credentials).finally(() => {
        isAnswered = true;
      });
      late.resolve(names);
    });
    expect((await control('POST', '/worlds/default/reset', {})).status).toBe(200);
    expect(await closing).toBe(false);
    expect(await late.promise).toEqual(began);
  });

  it('says what to do where how it began was not kept, and why it cannot be replaced, and is as it was', async () => {
    const { control, directory } = await worldsServer();
    const { credentials } = (await control('GET', '/worlds/default')).body.data;
    await createCampaign(credentials, 'Mine');
    const names = await campaignNames(credentials);
    rmSync(path.join(directory, 'snapshots/default/origin'), { recursive: true });
    const unknown = await control('POST', '/worlds/default/reset', {});
    expect(unknown).toMatchObject({ status: 409, body: { errors: [{ code: 'WORLD_ORIGIN_UNKNOWN' }] } });
    expect(unknown.body.errors[0].message).toContain('Take a snapshot');
    const nowhere = await control('POST', '/worlds/default/restore', { snapshot_id: 'snowhere' });
    expect(nowhere).toMatchObject({ status: 404, body: { errors: [{ code: 'SNAPSHOT_NOT_FOUND' }] } });
    const { id: snapshot_id } = (await control('POST', '/worlds/default/snapshots', {})).body.data;
    // A state that this server cannot open, since its secrets are sealed under a key that is not there.
    const snapshot = path.join(directory, 'snapshots/default', snapshot_id);
    cpSync(snapshot, `${snapshot}-kept`, { recursive: true });
    writeFileSync(path.join(snapshot, 'secret.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`);
    expect((await control('POST', '/worlds/default/restore', { snapshot_id })).status).toBe(500);
    expect(await campaignNames(credentials)).toEqual(names);
    cpSync(path.join(`${snapshot}-kept`, 'secret.key'), path.join(snapshot, 'secret.key'));
    rmSync(`${snapshot}-kept`, { recursive: true });
    // Renaming a link would leave its files where they are.
    rmSync(path.join(directory, 'demo.unfinished'), { force: true });
    symlinkSync(directory, path.join(directory, 'demo.unfinished'));
    const linked = await control('POST', '/worlds/default/restore', { snapshot_id });
    expect(linked).toMatchObject({ status: 400, body: { errors: [{ code: 'WORLD_ELSEWHERE' }] } });
    expect(linked.body.errors[0].message).toContain('demo.unfinished');
    rmSync(path.join(directory, 'demo.unfinished'));
    const both = await Promise.all([1, 2].map(() => control('POST', '/worlds/default/restore', { snapshot_id })));
    const statuses = both.map(({ status }) => status);
    expect(statuses).toContain(200);
    for (const { status, body } of both) if (status !== 200) expect(body.errors[0].code).toBe('WORLD_BUSY');
    expect(await campaignNames(credentials)).toEqual(names);
  });

  it('is kept as it began without the key of a setting, and not at all where the control is closed', async () => {
    const BROADSIDE_SECRET_KEY = Buffer.alloc(32, 5).toString('base64');
    const { control, directory } = await worldsServer(temporaryDirectory(), { BROADSIDE_SECRET_KEY });
    const { credentials } = (await control('GET', '/worlds/default')).body.data;
    const began = await campaignNames(credentials);
    await createCampaign(credentials, 'Gone');
    expect((await control('POST', '/worlds/default/reset', {})).status).toBe(200);
    expect(await campaignNames(credentials)).toEqual(began);
    const keys = readdirSync(directory, { recursive: true }).filter((name) => String(name).endsWith('secret.key'));
    expect(keys).toEqual([]);
    const closed = await worldsServer(temporaryDirectory(), { BROADSIDE_CONTROL: '0' });
    expect(existsSync(path.join(closed.directory, 'snapshots'))).toBe(false);
  });
});
