/** Paths of the pages and their form actions. OAuth pages are not listed: their forms post to the path that renders them. */
export const paths = {
  signIn: '/sign-in',
  signOut: '/sign-out',
  /** Apps that a person has approved, and apps that they own. */
  settings: '/settings',
  /** Takes back an approval. */
  revoke: '/settings/revoke',
  /** An app, for its owner. */
  app: (id: string) => `/settings/apps/${encodeURIComponent(id)}`,
  /** Gives an app new keys. */
  appKeys: (id: string) => `${paths.app(id)}/keys`,
  /** Takes the bearer token of an app out of use. */
  appBearer: (id: string) => `${paths.app(id)}/bearer`,
} as const;
