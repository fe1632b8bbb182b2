/** The states of a reader of users: what it expects next. */

export type BodyState = 'start' | 'first operation' | 'operation' | 'after operation' | 'end';

export type OperationState =
  | 'first operation member'
  | 'operation member'
  | 'after operation member'
  | 'first params member'
  | 'params member'
  | 'after params member';

export type UsersState =
  | 'first user'
  | 'user'
  | 'after user'
  | 'first user member'
  | 'user member'
  | 'after user member'
  | 'first identifier'
  | 'after identifier';

export type State = BodyState | OperationState | UsersState | 'identifier' | 'skipping';

/** Numbers of arrays and objects around a value, by the state after it. */
export const depths = {
  end: 0,
  'after operation': 1,
  'after operation member': 2,
  'after params member': 3,
  'after user': 4,
  'after user member': 5,
  'after identifier': 6,
} as const satisfies Partial<Record<State, number>>;

export type AfterValue = keyof typeof depths;
