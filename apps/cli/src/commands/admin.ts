/** The operator's commands: procedures on tRPC, authorized by the operator's token. They are not available on REST. */
import type { OperatorOperation } from '@broadside/core';
import { namedColumns } from '../columns.ts';
import type { Invocation } from '../command.ts';
import { type FoundCredentials, findCredentials, findOperatorToken } from '../credentials.ts';
import { UsageError } from '../errors.ts';
import type { FlagSection } from '../flag.ts';
import { addressDefault, findAddress } from '../operator/address.ts';
import { callProcedure } from '../operator/call-procedure.ts';
import { noToken } from '../operator/no-token.ts';
import { demandProof } from '../operator/proof.ts';
import { Output } from '../output.ts';
import { membersOf, type Parameter, SECRET_PARAMETER } from '../parameters.ts';
import { AuditLines } from './audit-lines.ts';
import { chosenWorld, worldFlag } from './chosen-world.ts';
import { inWorld } from './control.ts';
import { connectionFlagsFor, withEnvironment } from './environment.ts';
import { limitOf } from './limit.ts';
import { printPages } from './pages.ts';
import { checkParams, type Params, readGiven } from './params.ts';

/** The flags that say which platform to administer, and where an account lives. */
export function adminFlags(parameters: readonly Parameter[]): FlagSection {
  const description = `Address of the platform. Default: ${addressDefault}.`;
  return {
    title: 'Connection',
    flags: [worldFlag, ...connectionFlagsFor(parameters), { name: 'base-url', kind: 'text', hint: 'url', description }],
  };
}

const AUDIT = 'admin.audit';

/** The columns of lists whose names alone do not say what is worth the most. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  [AUDIT]: [
    'change_time',
    'change_type',
    'entity',
    'entity_id',
    'account_id',
    'change_by_platform',
    'change_by_user_id',
    'changes',
  ],
  'admin.accounts.list': ['id', 'name', 'state', 'shard', 'users', 'created_at'],
};

/** Runs a procedure of the operator. */
export async function runAdmin(
  operation: OperatorOperation,
  parameters: readonly Parameter[],
  call: Invocation,
): Promise<void> {
  const { io, flags } = call;
  const output = await Output.open(io, flags, operation.data);
  const limit = operation.envelope === 'list' ? limitOf(flags, output) : undefined;
  const found = findCredentials(io, flags);
  const given = withEnvironment(await readGiven(operation, parameters, call), parameters, flags, found);
  const { password, ...others } = given;
  const asked = parameters.some(
    ({ name, required }) => name === SECRET_PARAMETER && (password === '-' || (password === undefined && required)),
  );
  // All other errors are reported before prompting for a password.
  const rest = asked ? parameters.filter(({ name }) => name !== SECRET_PARAMETER) : parameters;
  if (asked) checkParams({ ...operation, params: operation.params.omit({ [SECRET_PARAMETER]: true }) }, rest, others);
  else checkParams(operation, parameters, given);
  const open = findOperator(call, found);
  const params = asked ? { ...given, [SECRET_PARAMETER]: await askPassword(call, password === '-') } : given;
  if (asked) checkParams(operation, parameters, params);
  const ask = await open(output);
  if (operation.envelope === 'list') {
    const columns = COLUMNS[operation.id];
    const isAudit = operation.id === AUDIT && output.isUsual && io.stdout.isTTY;
    const usual = columns && namedColumns(operation.data, columns);
    const printed = isAudit ? new AuditLines(io.stdout, output) : output.many(usual);
    return printPages(params, output, limit, (asked) => ask(operation, asked), printed);
  }
  const result = await ask(operation, params);
  if (operation.envelope === 'entity' || operation.envelope === 'message') {
    await output.one(result);
    await noteSecrets(operation, output);
    return;
  }
  const printed = output.many();
  await printed.page(Array.isArray(result) ? result : [result]);
  await printed.end();
}

/** Calls procedures of a platform that has proved to be the operator's. */
type Ask = (operation: OperatorOperation, params: Params) => Promise<unknown>;

/**
 * Finds the operator's token, and returns what connects to the platform.
 * @throws CliError when there is no token
 */
export function findOperator(
  { io, flags }: Pick<Invocation, 'io' | 'flags'>,
  found: FoundCredentials | undefined,
): (output: Pick<Output, 'say'>) => Promise<Ask> {
  const token = findOperatorToken(io, found);
  if (!token) throw noToken(found);
  return async (output) => {
    const address = await findAddress(io, flags, found);
    await demandProof(io, address, token);
    const world = await chosenWorld(io, flags, found);
    if (world !== undefined) await output.say(inWorld(world, found));
    const target = { io, baseUrl: address.baseUrl, token: token.token, world };
    return (operation, params) => callProcedure(operation, params, target);
  };
}

/** Warns that a secret is not shown again. */
async function noteSecrets({ data }: OperatorOperation, output: Output): Promise<void> {
  const secrets = membersOf(data).flatMap(([name]) => (name.endsWith('_secret') ? [name] : []));
  if (output.format !== 'human') return;
  for (const name of secrets) await output.say(`Keep ${name}: it is shown this once and never again.`);
}

async function askPassword({ io }: Invocation, fromStdin: boolean): Promise<string> {
  if (fromStdin && !io.stdin.isTTY) return (await io.stdin.text()).replace(/\r?\n$/, '');
  if (!io.stdin.isTTY)
    throw new UsageError('--password is missing, and there is no terminal to ask for it', [
      '--password - reads it from stdin.',
    ]);
  await io.stderr.write('Password: ');
  const first = await io.stdin.secret();
  await io.stderr.write('Again: ');
  if ((await io.stdin.secret()) !== first) throw new UsageError('The two passwords differ');
  return first;
}
