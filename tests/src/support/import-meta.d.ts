/** Replaced by vitest with the modules that match a pattern. */
interface ImportMeta {
  glob<Module>(pattern: string, options: { readonly eager: true }): Readonly<Record<string, Module>>;
  glob(patterns: readonly string[]): Readonly<Record<string, () => Promise<unknown>>>;
}
