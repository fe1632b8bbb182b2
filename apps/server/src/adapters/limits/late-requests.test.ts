/** Requests to which Node has given up waiting: those that waited for the server itself have the time of its delays left. */
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { SocketForm } from '../rest/malformed.ts';
import { BodyProgress } from './body-progress.ts';
import { LateRequests } from './late-requests.ts';
import { ResponsiveTime } from './responsive-time.ts';

const form: SocketForm = () => ({ status: 408, headers: [], body: '' });

/** A process whose time the test moves. */
function process() {
  let ms = 0;
  const answered: Socket[] = [];
  const time = new ResponsiveTime(60_000, () => ms);
  const answers = {
    malformed: (_form: SocketForm, _error: Error, socket: Socket) => void answered.push(socket),
    late: (_form: SocketForm, _request: IncomingMessage, socket: Socket) => void answered.push(socket),
  };
  const late = new LateRequests({ header_ms: 10_000, request_ms: 30_000 }, time, answers);
  const progress = new BodyProgress(10_000, time, answers);
  return {
    late,
    progress,
    answered,
    /** Time in which the process reads what arrives. */
    pass(passed: number) {
      for (const end = ms + passed; ms < end; ) {
        ms += 100;
        time.tick();
        late.look();
        progress.look();
      }
    },
    /** Time in which it does nothing. */
    delay(passed: number) {
      ms += passed;
      time.tick();
    },
  };
}

const timeout = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

test('a head is late at once when the process was not delayed', () => {
  const { late, answered, pass } = process();
  const socket = new Socket();
  pass(10_000);
  late.fail(form, timeout, socket);
  expect(answered).toEqual([socket]);
});

test('a head has the time of the delays, and no more', () => {
  const { late, answered, pass, delay } = process();
  const socket = new Socket();
  pass(2_000);
  delay(8_200);
  late.fail(form, timeout, socket);
  pass(7_900);
  expect(answered).toEqual([]);
  pass(200);
  expect(answered).toEqual([socket]);
});

test('delays from before the request do not count', () => {
  const { late, answered, pass, delay } = process();
  delay(8_000);
  pass(10_100);
  const socket = new Socket();
  late.fail(form, timeout, socket);
  expect(answered).toEqual([socket]);
});

test('another error is answered at once, whatever was delayed', () => {
  const { late, answered, delay } = process();
  delay(8_000);
  const socket = new Socket();
  late.fail(form, Object.assign(new Error('no HTTP'), { code: 'HPE_INVALID_METHOD' }), socket);
  expect(answered).toEqual([socket]);
});

test('a request that arrives in the time it was granted is not late, and one whose body does not is', () => {
  const { late, answered, pass, delay } = process();
  const [whole, begun] = [new Socket(), new Socket()];
  delay(8_200);
  for (const socket of [whole, begun]) late.fail(form, timeout, socket);
  pass(1_000);
  const arrived = new IncomingMessage(whole);
  arrived.complete = true;
  late.arrived(arrived);
  late.arrived(new IncomingMessage(begun));
  pass(29_900);
  expect(answered).toEqual([]);
  pass(200);
  expect(answered).toEqual([begun]);
});

test('a request whose body arrives has the delays of its own limit', () => {
  const { late, answered, pass, delay } = process();
  delay(5_200);
  pass(12_000);
  const [head, body] = [new Socket(), new Socket()];
  late.fail(form, timeout, head);
  late.fail(form, timeout, body, new IncomingMessage(body));
  expect(answered).toEqual([head]);
  pass(4_900);
  expect(answered).toEqual([head]);
  pass(200);
  expect(answered).toEqual([head, body]);
});

test('a body need not grow while the process is delayed', () => {
  const { progress, answered, pass, delay } = process();
  const socket = new Socket();
  const request = Object.assign(new IncomingMessage(socket), { method: 'POST' });
  progress.watch(request, form);
  pass(5_000);
  delay(60_000);
  expect(answered).toEqual([]);
  pass(4_700);
  expect(answered).toEqual([]);
  pass(200);
  expect(answered).toEqual([socket]);
});

test('a body that begins shortly before the interval of another ends has an interval of its own', () => {
  const { progress, answered, pass } = process();
  const begin = () => {
    const socket = new Socket();
    progress.watch(Object.assign(new IncomingMessage(socket), { method: 'POST' }), form);
    return socket;
  };
  const first = begin();
  pass(9_900);
  const second = begin();
  pass(9_900);
  expect(answered).toEqual([first]);
  pass(200);
  expect(answered).toEqual([first, second]);
});

test('a body whose reader has gone away is still watched on its connection', async () => {
  const { progress, answered, pass } = process();
  const socket = new Socket();
  const request = Object.assign(new IncomingMessage(socket), { method: 'POST' });
  progress.watch(request, form);
  request.push('the beginning');
  // Leaving the loop destroys the request, which loses its connection then.
  for await (const _piece of request) break;
  expect(request.socket).toBeNull();
  expect(progress.on(socket)).toBe(request);
  pass(10_100);
  expect(answered).toEqual([socket]);
});

test('a request without a limit is not late, whether it waited for the server or not', () => {
  const { late, answered, pass, delay } = process();
  delay(8_200);
  const [whole, granted] = [new Socket(), new Socket()];
  const [first, second] = [new IncomingMessage(whole), new IncomingMessage(granted)];
  late.unlimit(first);
  late.fail(form, timeout, whole, first);
  late.fail(form, timeout, granted);
  late.arrived(second);
  late.unlimit(second);
  pass(60_000);
  expect(answered).toEqual([]);
});
