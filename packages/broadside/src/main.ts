#!/usr/bin/env node
// A second name of @broadside/cli, so that `npx broadside` works too. Runs the program that its package.json names.
import { readFileSync } from 'node:fs';

const manifest = import.meta.resolve('@broadside/cli/package.json');
const { bin }: { readonly bin: { readonly broadside: string } } = JSON.parse(readFileSync(new URL(manifest), 'utf8'));
await import(new URL(bin.broadside, manifest).href);
