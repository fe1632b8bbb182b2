/**
 * Names of errors as types: those that families share, and those of each family. Only types, so that operations can
 * name errors: only `errors` of a family's module is resolved here, never the operations.
 */
import type * as families from '../contract.ts';
import type { baseErrors } from '../wire/base-errors.ts';

type Families = typeof families;

type ErrorsOf<Family> = Family extends { readonly errors: infer Errors } ? Errors : never;

type AnyErrors = { readonly [Name in keyof Families]: ErrorsOf<Families[Name]> }[keyof Families];

type NamesIn<Errors> = Errors extends unknown ? keyof Errors : never;

type EntryIn<Errors, Name> = Errors extends unknown ? (Name extends keyof Errors ? Errors[Name] : never) : never;

/** The errors of all families by name. */
export type ErrorsOfFamilies = { readonly [Name in NamesIn<AnyErrors>]: EntryIn<AnyErrors, Name> };

/** The error catalogue: entries by name. */
export interface ErrorCatalogue extends Readonly<typeof baseErrors>, ErrorsOfFamilies {}

/** The name of an entry of the error catalogue. */
export type ErrorName = keyof ErrorCatalogue;
