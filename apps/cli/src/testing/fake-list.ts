/** A server with one custom audience and a do-not-reach list: it takes people, and says how many there are after some questions. */
import { contract } from '@broadside/core';
import type { Io } from '../io.ts';

/** A record of a person as it is sent. */
export type SentUser = Readonly<Record<string, readonly string[]>>;

/** One operation of a request. */
interface SentOperation {
  readonly operation_type: string;
  readonly params: {
    readonly users: readonly SentUser[];
    readonly effective_at?: string;
    readonly expires_at?: string;
  };
}

/** Behaviour of the server beside taking people. */
export interface FakeListOptions {
  /** Called before a request is taken, with its index; may throw, or answer in place of the server. */
  readonly before?: (index: number) => Response | undefined;
  /** Questions that are answered with PROCESSING. */
  readonly processing?: number;
  /** False for an account without a do-not-reach list. */
  readonly hasList?: boolean;
}

/** A `fetch` that leads to the server, and what it has taken. */
export function fakeList({ before, processing = 0, hasList = true }: FakeListOptions = {}) {
  const requests: SentOperation[][] = [];
  const paths: string[] = [];
  let asked = 0;
  let tried = 0;
  const fetch: Io['fetch'] = async (address, init) => {
    const url = new URL(address);
    paths.push(`${init.method} ${url.host}${url.pathname}`);
    if (init.method === 'GET') {
      const isReady = asked++ >= processing;
      const state = isReady
        ? { targetable: true, reasons_not_targetable: [], audience_size: 1200 }
        : { targetable: false, reasons_not_targetable: ['PROCESSING', 'TOO_SMALL'], audience_size: null };
      if (!url.pathname.endsWith('/do_not_reach_lists'))
        return answer({ ...contract.custom_audiences.get.example.data, ...state });
      const { audience_size: list_size, ...facts } = state;
      const { data } = contract.do_not_reach_lists.list.example;
      return answer(hasList ? [{ ...data, ...facts, targetable: false, list_size }] : [], { next_cursor: null });
    }
    const instead = before?.(tried++);
    if (instead) return instead;
    const operations: SentOperation[] = JSON.parse(String(init.body));
    requests.push(operations);
    const count = operations.reduce((sum, { params }) => sum + params.users.length, 0);
    const counts = { success_count: count, total_count: count };
    return answer(url.pathname.startsWith('/12/batch/') ? [counts] : counts);
  };
  return {
    fetch,
    requests,
    paths,
    get users(): SentUser[] {
      return requests.flat().flatMap(({ params }) => params.users);
    },
  };
}

function answer(data: object, more: object = {}): Response {
  return Response.json({ request: { params: {} }, data, ...more });
}
