/** Composition of the families of operations: their handlers and entities. */
import type { AuthContract, FullContract, UploadContract } from '@broadside/core';
import type { Entity } from './db/entity.ts';
import { EntityRegistry } from './db/entity-registry.ts';
import type { HandlersOf } from './pipeline/context.ts';
import { handlerFinder } from './pipeline/handlers.ts';
import * as families from './resources/registry.ts';
import type { AccountWriter } from './world/account-store.ts';
import type { NewAccount } from './world/ads-services.ts';
import type { World } from './world/world.ts';

type AllHandlers = HandlersOf<FullContract> & HandlersOf<AuthContract> & HandlersOf<UploadContract>;

/** A family of the contract that is not registered, and a handler that is missing, do not compile here. */
const served: { readonly [Name in keyof AllHandlers]: { readonly handlers: AllHandlers[Name] } } = families;

/** A family as it may be registered. */
interface Family {
  readonly handlers?: object;
  /** The kinds of entity that it stores. */
  readonly entities?: readonly Entity[];
  /** Writes what a new account has of it from its beginning. */
  readonly newAccount?: (account: AccountWriter, fields: NewAccount) => Promise<void>;
  /** Registers what the family does without a call, such as at a time. */
  readonly attach?: (world: World) => void;
}

const all: readonly Family[] = Object.values(families);

/** The handler of an operation. */
export const handlerOf = handlerFinder(
  Object.fromEntries(Object.entries(served).map(([name, { handlers }]) => [name, handlers])),
);

/** All kinds of entity in advertising stores. */
export const entities = new EntityRegistry(all.flatMap((family) => family.entities ?? []));

/** Writes what a new account has from its beginning. */
export async function initializeAccount(account: AccountWriter, fields: NewAccount): Promise<void> {
  for (const { newAccount } of all) await newAccount?.(account, fields);
}

/** Has a world do what families do without a call. */
export function attachFamilies(world: World): void {
  for (const { attach } of all) attach?.(world);
}
