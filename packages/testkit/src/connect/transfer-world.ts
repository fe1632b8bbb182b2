/** Worlds of a server as files. These two requests send and take bytes, so they are none of the procedures. */
import { controlContract, parseJson } from '@broadside/core';
import {
  exportWorld as exporting,
  importWorld as importing,
  PACKED_WORLD_TYPE,
} from '@broadside/core/resources/control';
import type { ForkOptions } from '../controlled-world.ts';
import { askControl, type ControlAddress, isMembers, rejectionOf } from './call-control.ts';

const { create } = controlContract.control.worlds;

/** Takes a world as a file. @throws ControlError */
export async function exportWorld(address: ControlAddress, world_id: string): Promise<Uint8Array> {
  const { id, method, path } = exporting;
  const { status, bytes } = await askControl(address, {
    operation: id,
    method,
    target: path.replace(':world_id', encodeURIComponent(world_id)),
    read: readBytes,
  });
  if (status !== 200) throw rejected(id, status, bytes);
  return bytes;
}

/** Makes a world of such a file. @returns what `worlds.create` does @throws ControlError */
export async function importWorld(address: ControlAddress, file: Uint8Array, { name, ttl_seconds }: ForkOptions) {
  const { id, method, path } = importing;
  const query = new URLSearchParams();
  if (name !== undefined) query.set('name', name);
  if (ttl_seconds !== undefined) query.set('ttl_seconds', String(ttl_seconds));
  const { status, bytes } = await askControl(address, {
    operation: id,
    method,
    target: `${path}?${query}`,
    contentType: PACKED_WORLD_TYPE,
    body: file,
    read: readBytes,
  });
  if (status !== 200) throw rejected(id, status, bytes);
  return create.data.parse(membersOf(bytes)['data']);
}

async function readBytes(response: Response): Promise<{ readonly status: number; readonly bytes: Uint8Array }> {
  return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) };
}

function rejected(operation: string, status: number, bytes: Uint8Array) {
  return rejectionOf(operation, status, membersOf(bytes)['errors']);
}

function membersOf(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const body = parseJson(Buffer.from(bytes).toString());
    return isMembers(body) ? body : {};
  } catch {
    return {};
  }
}
