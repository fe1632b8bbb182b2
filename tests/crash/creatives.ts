/**
 * Draft posts, cards and the media library while the server is killed. The writer works on records of its own, one request after the
 * other; a draft that is deleted is gone, a card stays as a deleted one.
 */
import { strict as assert } from 'node:assert';
import { idOf, member } from '../src/support/body.ts';
import { componentsOf } from '../src/support/card-bodies.ts';
import { listed } from './listing.ts';
import type { Chance, Session } from './session.ts';

/** A record as far as it is known: its text or name, and whether it was deleted. */
interface Creative {
  readonly label: string;
  readonly deleted: boolean;
}

/** The kinds of records: where they are, and in which member their label is. */
const kinds = {
  draft_posts: { label: 'text', keepsDeleted: false },
  cards: { label: 'name', keepsDeleted: true },
} as const;
type Kind = keyof typeof kinds;

/** A writer of drafts and cards. */
export interface CreativeWriter {
  readonly known: Readonly<Record<Kind, Map<string, Creative>>>;
  /** The request without a response: of a new record, `id` is missing. */
  underWay: ({ readonly kind: Kind; readonly id: string | undefined } & Creative) | undefined;
  acknowledged: number;
}

/** A writer that has written nothing yet. */
export function creativeWriter(): CreativeWriter {
  return { known: { draft_posts: new Map(), cards: new Map() }, underWay: undefined, acknowledged: 0 };
}

/** Writes, changes and deletes drafts and cards until the server has stopped. @param media_key of the account's library */
export async function writeCreatives(
  session: Session,
  writer: CreativeWriter,
  media_key: string,
  tag: string,
  chance: Chance,
): Promise<void> {
  const account = `/12/accounts/${session.account_id}`;
  for (let turn = 0; ; turn++) {
    const kind: Kind = chance() < 0.5 ? 'draft_posts' : 'cards';
    const alive = [...writer.known[kind]].filter(([, { deleted }]) => !deleted);
    const [id, before] = alive[Math.floor(chance() * alive.length * 2)] ?? [];
    const method = id === undefined ? 'POST' : chance() < 0.8 ? 'PUT' : 'DELETE';
    const label = method === 'DELETE' ? (before?.label ?? '') : `${tag} ${turn}`;
    const content =
      kind === 'draft_posts'
        ? { query: { text: label, ...(id === undefined ? { as_user_id: session.server.credentials.user_id } : {}) } }
        : { json: { name: label, ...(id === undefined ? { components: componentsOf(media_key) } : {}) } };
    const path = `${account}/${kind}${id === undefined ? '' : `/${id}`}`;
    const request = await session.sign({ method, path, ...(method === 'DELETE' ? {} : content) });
    const deleted = method === 'DELETE';
    writer.underWay = { kind, id, label, deleted };
    let answer: Awaited<ReturnType<Session['send']>>;
    try {
      answer = await session.send(request);
    } catch {
      return;
    }
    assert.equal(answer.status, 200, answer.text);
    writer.underWay = undefined;
    writer.acknowledged++;
    writer.known[kind].set(idOf(answer.body), { label, deleted });
  }
}

/** Checks what a writer knows against a server that was started again. @throws AssertionError */
export async function checkCreatives(session: Session, { known, underWay }: CreativeWriter): Promise<void> {
  for (const [name, { label, keepsDeleted }] of Object.entries(kinds)) {
    const kind: Kind = name === 'cards' ? 'cards' : 'draft_posts';
    const filter = kind === 'cards' ? { with_deleted: true } : { user_id: session.server.credentials.user_id };
    const found = new Map(
      (await listed(session, kind, filter)).map((row) => [
        String(member(row, 'id')),
        { label: String(member(row, label)), deleted: member(row, 'deleted') === true },
      ]),
    );
    const pending = underWay?.kind === kind ? underWay : undefined;
    const states = (id: string, state: Creative | undefined): (Creative | undefined)[] => [
      state && (state.deleted && !keepsDeleted ? undefined : state),
      ...(pending?.id === id
        ? [pending.deleted && !keepsDeleted ? undefined : { label: pending.label, deleted: pending.deleted }]
        : []),
    ];
    for (const [id, state] of known[kind]) {
      const possible = states(id, state).map((one) => JSON.stringify(one));
      assert(possible.includes(JSON.stringify(found.get(id))), `${kind} ${id} is ${JSON.stringify(found.get(id))}`);
    }
    for (const [id, { label: text }] of found) {
      const asked = known[kind].has(id) || (pending && pending.id === undefined && pending.label === text);
      assert(asked, `${kind} ${id} is there, and nobody asked for it`);
    }
  }
}
