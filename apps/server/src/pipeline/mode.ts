/**
 * Whom a server serves: people who build clients (refused signatures are explained, plain HTTP will do), or the public.
 */
export type Mode = 'development' | 'production';
