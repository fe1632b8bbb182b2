/** A contract with more operations than exist, for measuring its size. */
import type { ThinContract, ThinOperation, ThinShape } from '@broadside/core/thin';

const FAMILIES = [
  'tailored_audiences',
  'audience_rules',
  'web_event_tags',
  'app_event_tags',
  'lead_forms',
  'draft_posts',
];
const WORDS = [
  'audience estimated match rate partner source sync window retention lookback conversion event primary secondary',
  'headline button label destination privacy policy consent question answer locale region postal currency settled',
  'invoice billing threshold approval reviewer escalation archive snapshot checksum revision parent sibling depth',
].flatMap((line) => line.split(' '));
const TYPES = ['text', 'text|null', 'long|null', 'boolean', 'time', 'time|null', 'int', 'text*', 'digits?', 'decimal?'];

/** Returns member number `n` of a family: two words, which differ from those of other families. */
function memberOf(family: number, n: number): readonly [string, string] {
  const at = (index: number) => WORDS[index % WORDS.length] ?? '';
  return [
    `${at(family * 17 + n * 5)}_${at(family * 7 + n * 11 + 3)}`,
    TYPES[(family + n * 3) % TYPES.length] ?? 'text',
  ];
}

function shapeOf(family: number): ThinShape {
  const own = Array.from({ length: 16 }, (_, n) => memberOf(family, n));
  return {
    id: 'text',
    name: 'text',
    ...Object.fromEntries(own),
    created_at: 'time',
    updated_at: 'time',
    deleted: 'boolean',
  };
}

/** Returns the six operations of a family of stored entities, with the shape of that index. */
function operationsOf(name: string, shape: number): ThinOperation[] {
  const path = `/12/accounts/:account_id/${name}`;
  const one = `${path}/:${name.slice(0, -1)}_id`;
  const data = `${shape}`;
  const paging = { count: { min: 1, max: 1000, default: 200 }, firstPageOnly: ['with_total_count'] };
  const kind = 'ads';
  return [
    { kind, id: `${name}.list`, method: 'GET', path, envelope: 'list', paging, data },
    { kind, id: `${name}.get`, method: 'GET', path: one, envelope: 'entity', data },
    { kind, id: `${name}.create`, method: 'POST', path, envelope: 'entity', data },
    {
      kind,
      id: `${name}.update`,
      method: 'PUT',
      path: one,
      removable: [memberOf(shape, 2)[0]],
      envelope: 'entity',
      data,
    },
    { kind, id: `${name}.delete`, method: 'DELETE', path: one, envelope: 'entity', data },
    {
      kind,
      id: `${name}.batch`,
      method: 'POST',
      path: `/12/batch${path.slice(3)}`,
      envelope: 'batch',
      batch: true,
      data,
    },
  ];
}

/** Adds operations of possible future families to the contract, up to a total number. */
export function grownTo(count: number, { operations, shapes, uploads }: ThinContract): ThinContract {
  const families = Math.ceil((count - operations.length) / 6);
  const more = Array.from({ length: Math.max(0, families) }, (_, family) => {
    const name = FAMILIES[family % FAMILIES.length] ?? '';
    return operationsOf(family < FAMILIES.length ? name : `${name}_${family}s`, shapes.length + family);
  });
  return {
    operations: [...operations, ...more.flat()].slice(0, count),
    shapes: [...shapes, ...more.map((_, family) => shapeOf(shapes.length + family))],
    uploads,
  };
}
