/** The part of the platform that a listener serves. */
export type ListenerName = 'api' | 'ads' | 'sandbox';

/** The listeners of a server: those of the platform, and the one that controls its worlds. */
export type AppName = ListenerName | 'control';
