/** Where the pages are, and where their forms are sent. The OAuth pages are not here: their forms go to the path that shows them. */
export const paths = {
  signIn: '/sign-in',
  signOut: '/sign-out',
  /** What a person has approved, and the apps that they own. */
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
