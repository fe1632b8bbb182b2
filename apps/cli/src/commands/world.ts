/** `broadside world`: the operations on worlds, and which world later commands act in. */
import { type ControlOperation, controlContract, descriptionOf } from '@broadside/core';
import { DEFAULT_WORLD, GeneratorOptions } from '@broadside/core/resources/control';
import { isEntity } from '../columns.ts';
import type { Command, Group, Invocation, Node } from '../command.ts';
import { environmentOf, findCredentials, platformOf, worldOf, worldSource } from '../credentials.ts';
import { CliError, UsageError } from '../errors.ts';
import { type Flag, type FlagSection, kebab } from '../flag.ts';
import { prettyJson } from '../json.ts';
import { membersOf, parametersOf } from '../parameters.ts';
import { type Profiles, readProfiles, type StoredCredentials, textMembers, writeProfiles } from '../profiles.ts';
import { printable, shellWord } from '../text.ts';
import { contractCommands, operationCommand } from './call.ts';
import { controlFlags, openControl, runControl, worldIdOf } from './control.ts';
import type { Params } from './params.ts';
import { readFile, refusal } from './seed.ts';
import { exportCommand, importCommand } from './world-files.ts';

const { worlds, snapshots } = controlContract.control;

/** Adds to a command of the contract. */
function extended(operation: ControlOperation, words: readonly string[], more: Partial<Command>): [string, Node] {
  const load = (): Command => ({ ...operationCommand(operation, words), ...more });
  return [words.at(-1) ?? '', { kind: 'lazy', words, summary: operation.summary, load }];
}

/** The flag of generated worlds, which the flags of what is generated imply. */
const GENERATE = 'generate';

const beginnings: FlagSection = {
  title: 'Beginning, one of them',
  flags: [
    { name: 'demo', kind: 'boolean', hint: '', description: 'The demo of a first start; so it is without any.' },
    { name: 'empty', kind: 'boolean', hint: '', description: 'Nothing at all.' },
    { name: 'from-world', kind: 'text', hint: 'id', description: 'A fork of this world, by id or name.' },
    { name: 'from-snapshot', kind: 'text', hint: 'id', description: 'A fork of this snapshot.' },
    {
      name: 'seed-file',
      kind: 'text',
      hint: 'file',
      description: 'What a seed file says, YAML or JSON, beside the demo; - is stdin.',
      completes: 'file',
    },
    {
      name: GENERATE,
      kind: 'boolean',
      hint: '',
      description: 'Generated people and posts beside the demo, as `broadside seed` makes them.',
    },
  ],
};

/** The members of `from.generate` by their flags: a world has a seed of its own. */
const generated = new Map(
  membersOf(GeneratorOptions).map(([member, schema]): [string, readonly [member: string, flag: Flag]] => {
    const name = member === 'seed' ? 'generator-seed' : kebab(member);
    const hint = { seed: 'text', until: 'time' }[member] ?? 'number';
    return [name, [member, { name, kind: 'text', hint, description: descriptionOf(schema) ?? '' }]];
  }),
);

const generatedFlags: FlagSection = {
  title: 'What is generated',
  flags: [...generated.values()].map(([, flag]) => flag),
};

const [createName, createNode] = extended(worlds.create, ['world', 'create'], {});

async function createCommand(): Promise<Command> {
  if (createNode.kind !== 'lazy') throw new TypeError('a command of the contract is built when it is needed');
  const command = await createNode.load();
  return {
    ...command,
    sections: [beginnings, generatedFlags, ...command.sections],
    examples: [
      { line: 'broadside world create --name autumn' },
      { line: 'broadside world create --from-world autumn --ttl-seconds 3600 --json' },
      { line: 'broadside world create --generate --users 200 --posts 3000' },
      ...(command.examples ?? []),
    ],
    run: async (call) => {
      await runControl(worlds.create, parametersOf(worlds.create), call, await beginningOf(call));
    },
  };
}

/** The parameter `from` by the flags. @throws UsageError */
async function beginningOf({ io, flags }: Invocation): Promise<Params> {
  const options = [...generated].filter(([name]) => flags.has(name));
  const given = beginnings.flags.filter(({ name }) => flags.has(name) || (name === GENERATE && options.length > 0));
  const [one, other] = given;
  if (!one) return {};
  if (other) throw new UsageError(`--${one.name} and --${other.name} cannot be used together`);
  if (flags.has('data') || flags.has('file'))
    throw new UsageError(`--${one.name} and a beginning as JSON cannot be used together`);
  const text = flags.text(one.name);
  switch (one.name) {
    case 'from-world':
      return { from: { world: text } };
    case 'from-snapshot':
      return { from: { snapshot: text } };
    case GENERATE:
      return { from: { generate: Object.fromEntries(options.map(([name, [member]]) => [member, flags.text(name)])) } };
    case 'seed-file':
      return { from: { seed: await seedOf(io, text ?? '') } };
    default:
      return { from: { [one.name]: flags.on(one.name) } };
  }
}

/** What a seed file says. @throws UsageError, CliError for what is wrong in it */
async function seedOf(io: Invocation['io'], name: string): Promise<unknown> {
  const { readSeedForServer, SeedRefusedError } = await import('@broadside/server/seed');
  const file = await readFile(io, name);
  try {
    return JSON.parse(readSeedForServer(file).content);
  } catch (error) {
    throw error instanceof SeedRefusedError ? refusal(error) : error;
  }
}

/** Removes a world that is gone from the profiles. */
function forget(io: Invocation['io'], id: string): void {
  const held = readProfiles(io.env);
  if (held.default === id) writeProfiles(io.env, withoutDefault(held));
  else if ([...held.worlds.values()].includes(id))
    writeProfiles(io.env, leftWith(held, new Map([...held.worlds].filter(([, name]) => name !== id))));
}

/** Profiles with other worlds in use. Those of worlds that nothing uses any more are removed. */
function leftWith(held: Profiles, inUse: ReadonlyMap<string, string>): Profiles {
  const left = new Set(inUse.values());
  const before = new Set(held.worlds.values());
  const profiles = new Map([...held.profiles].filter(([name]) => left.has(name) || !before.has(name)));
  return { ...held, profiles, worlds: inUse };
}

const use: Command = {
  kind: 'command',
  words: ['world', 'use'],
  summary: 'Have later commands act in a world',
  description:
    'Keeps the credentials of the world as a profile of its id, which commands then use in place of those that they found so far; where there were none, it is the default profile. Commands with --credentials act where that file says.',
  positionals: [
    {
      name: 'world-id',
      description: 'The world, by id or name; `default` goes back to the one that the server always has.',
      required: true,
      standsFor: 'world-id',
    },
  ],
  sections: [
    { title: 'Output', flags: [{ name: 'json', kind: 'boolean', hint: '', description: 'As JSON.' }] },
    controlFlags(),
  ],
  examples: [{ line: 'broadside world use autumn' }, { line: 'broadside world use default' }],
  run: useWorld,
};

async function useWorld({ io, flags, words }: Invocation): Promise<void> {
  const found = findCredentials(io, flags);
  const platform = platformOf(found);
  const source = platform && worldSource(platform);
  if (platform && source === undefined)
    throw new UsageError(`${platform.file} is named for this command (${platform.because}), and is used as it is`, [
      'Commands take the world in use in place of a profile, or of the credentials.json of a data directory.',
    ]);
  const [text = ''] = words;
  const held = readProfiles(io.env);
  const others = new Map([...held.worlds].filter(([name]) => name !== source));
  if (text === DEFAULT_WORLD) {
    writeProfiles(io.env, platform ? leftWith(held, others) : withoutDefault(held));
    if (flags.on('json')) return io.stdout.write(`${prettyJson({ id: DEFAULT_WORLD, profile: null })}\n`);
    const by = platform ? `by ${platform.file}` : 'of which there are no credentials here';
    await io.stderr.write(`Commands act in the default world, ${by}\n`);
    return;
  }
  const control = await openControl(io, flags, found);
  const answer = await control.call(worlds.get, { world_id: await worldIdOf(control, text) });
  const { id, name, credentials } = worlds.get.data.parse(answer);
  if (credentials === null)
    throw new CliError('refused', `World ${printable(id)} has no user whose credentials could be used`, [
      'One that is made from the demo or from a seed file has.',
    ]);
  const profile: StoredCredentials = {
    ...withoutPassword(textMembers(credentials)),
    environment: environmentOf(flags, platform?.values ?? {}),
    world_id: id,
    world_name: name,
  };
  if (held.profiles.has(id) && held.profiles.get(id)?.['world_id'] !== id)
    throw new UsageError(`There is a profile "${id}" already, which is not of this world`);
  const changed =
    source === undefined
      ? { ...withoutDefault(held), default: id }
      : leftWith(held, new Map([...others, [source, id] as const]));
  writeProfiles(io.env, { ...changed, profiles: new Map([...changed.profiles, [id, profile]]) });
  if (flags.on('json')) return io.stdout.write(`${prettyJson({ id, name, profile: id })}\n`);
  const place = !platform ? '' : `, in place of ${platform.profile === undefined ? platform.file : (source ?? '')}`;
  await io.stderr.write(
    `Commands act in world ${printable(worldOf(profile) ?? id)} now${place}\n\`broadside world use default\` goes back.\n`,
  );
}

/** Profiles without the world that is the default one where there are no credentials of a platform. */
function withoutDefault(held: Profiles): Profiles {
  const { default: chosen, profiles } = held;
  if (chosen === undefined || profiles.get(chosen)?.['world_id'] !== chosen) return held;
  return { ...held, default: undefined, profiles: new Map([...profiles].filter(([name]) => name !== chosen)) };
}

/** A password signs a person in, not a program. */
function withoutPassword({ password: _, ...others }: StoredCredentials): StoredCredentials {
  return others;
}

/** `broadside world`. */
export function worldGroup(): Group {
  const words = (word: string) => ['world', word];
  const remove = extended(worlds.delete, words('delete'), {
    run: async (call) => {
      const deleted = await runControl(worlds.delete, parametersOf(worlds.delete), call);
      if (isEntity(deleted)) forget(call.io, String(deleted['id']));
    },
  });
  const children = new Map<string, Node>([
    ...contractCommands(worlds, ['world']),
    [createName, { kind: 'lazy', words: words('create'), summary: worlds.create.summary, load: createCommand }],
    remove,
    extended(snapshots.create, words('snapshot'), {}),
    extended(snapshots.list, words('snapshots'), {}),
    ['export', exportCommand],
    ['import', importCommand],
    ['use', use],
  ]);
  return {
    kind: 'group',
    words: ['world'],
    summary: [...children.keys()].join(', '),
    closing: [`Worlds can be named as well as given by id: \`broadside world fork ${shellWord('autumn')}\`.`],
    children,
  };
}
