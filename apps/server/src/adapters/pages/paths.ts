/** Paths of the pages and their form actions. OAuth pages are not listed: their forms post to the path that renders them. */
export const paths = {
  signIn: '/sign-in',
  signOut: '/sign-out',
  /** Apps that a person has approved, apps that they own, and the identifiers that they gave. */
  settings: '/settings',
  /** Changes the identifiers of a person. */
  identifiers: '/settings/identifiers',
  /** Revokes an approval. */
  revoke: '/settings/revoke',
  /** Shows an app to its owner. */
  app: (id: string) => `/settings/apps/${encodeURIComponent(id)}`,
  /** Issues new keys for an app. */
  appKeys: (id: string) => `${paths.app(id)}/keys`,
  /** Invalidates the bearer token of an app. */
  appBearer: (id: string) => `${paths.app(id)}/bearer`,
  /** The notes that a person has been given. */
  notifications: '/notifications',
  /** Marks all notifications of a person as read. */
  readNotifications: '/notifications/read',
  /** The stream of notifications that come in. */
  notificationEvents: '/notifications/events',
  /** The script that shows them. */
  newsScript: '/notifications/live.js',
  /** A notification: a timeline with the draft that it is about. */
  notification: (id: number) => `/notifications/${id}`,
  /** The public timeline of a person. */
  person: (screen_name: string) => `/${encodeURIComponent(screen_name)}`,
  /** The page of a published post. */
  post: (screen_name: string, id: string) => `${paths.person(screen_name)}/status/${encodeURIComponent(id)}`,
} as const;
