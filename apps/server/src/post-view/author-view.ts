import type { UserRow } from '../posts/store.ts';
import type { AuthorView } from './post-view.ts';

/** The path of media on this server, in an address of it. */
const PICTURE = /^\/media\/[a-z0-9][a-z0-9._/-]*$/;

/** A person as a post shows them. @param baseUrl the public address of this server */
export function authorView(row: UserRow, baseUrl: string): AuthorView {
  const { id, username: screen_name, name, verified, protected: isProtected, profile_image_url: picture } = row;
  const path = picture?.startsWith(baseUrl) ? picture.slice(baseUrl.length) : (picture ?? '');
  return { id, screen_name, name, verified, protected: isProtected, avatar: PICTURE.test(path) ? path : null };
}
