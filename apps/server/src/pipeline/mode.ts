/**
 * Audience of a server: developers of clients (rejected signatures are explained, plain HTTP is allowed), or the public.
 */
export type Mode = 'development' | 'production';
