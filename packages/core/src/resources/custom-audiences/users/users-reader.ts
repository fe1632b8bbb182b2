/**
 * Reads the body of a batch of users: JSON in bytes, up to 5 MB, without a string or an object for each identifier. It takes
 * what `params.ts` and the rules of every body allow, nothing else, and goes on after an error, so that one response reports
 * those of all operations. It works in steps, between which a server can do other work.
 */
import { CLOSE_ARRAY, CLOSE_OBJECT, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from '../../../wire/json-bounds.ts';
import { parseTimestamp } from '../../../wire/timestamp.ts';
import { type IdentifierKind, kindNumber } from '../identifiers/kinds.ts';
import { BodyScanner, type KnownName, knownNames, type OtherNames, UNKNOWN } from './body-scanner.ts';
import { asciiOf } from './json-bytes.ts';
import { MAX_IDENTIFIERS, MAX_USER_OPERATIONS } from './limits.ts';
import { PackedWriter } from './packed-writer.ts';
import {
  type AfterValue,
  type BodyState,
  depths,
  type OperationState,
  type State,
  type UsersState,
} from './reader-states.ts';
import { UserPlace } from './user-place.ts';
import {
  expected,
  MAX_EXAMINED,
  missing,
  noBatch,
  noOperation,
  notHashed,
  partnerUserIdIssue,
  unknownKind,
  unknownMember,
  wrongCount,
} from './users-issues.ts';
import { type OperationInReading, type ReadUsers, UsersOutcome } from './users-outcome.ts';
import type { UsersShape } from './users-shape.ts';

/** Returns the SHA-256 of bytes. */
export type Digest = (bytes: Uint8Array) => Uint8Array;

const HASH_DIGITS = 64;
/** Bytes of packed users for each byte of a body in which all is hashed, at most. */
const SHRINKS_TO = 0.3;
/** Times, and types of operations, are shorter. */
const MAX_WORD = 64;

const operationMembers = ['operation_type', 'params'] as const;
const operationNames = knownNames(operationMembers);
const OPERATION_TYPE = 0;
const PARAMS = 1;
const operationTypes = ['Update', 'Delete'] as const;
const typeNames = knownNames(operationTypes);
const paramsMembers = ['users', 'expires_at', 'effective_at'] as const;
const paramsNames = knownNames(paramsMembers);
const USERS = 0;
const EXPIRES = 1;

export class UsersReader {
  readonly #body: BodyScanner;
  readonly #kindNames: readonly KnownName[];
  readonly #operationNames: readonly KnownName[];
  readonly #paramsNames: readonly KnownName[];
  readonly #digest: Digest;
  readonly #place: UserPlace;
  readonly #writer: PackedWriter;
  readonly #outcome = new UsersOutcome();
  #state: State = 'start';
  #afterSkip: AfterValue = 'end';

  readonly #operation: OperationInReading = {
    operation_type: undefined,
    effective_at: undefined,
    expires_at: undefined,
  };
  /** Known members that the open objects have, as bits, and one for all that are unknown. */
  #operationMembers = 0;
  #paramsMembers = 0;
  #userMembers = 0;
  /** Users of the operations before this one. */
  #usersBefore = 0;

  /**
   * @param bytes the body
   * @param digest hashes a `partner_user_id`, which callers do not hash
   * @param others names under which members may come beside their own, in the dialect of the caller
   */
  constructor(bytes: Uint8Array, { kinds, has_effective_at }: UsersShape, digest: Digest, others?: OtherNames) {
    const places = has_effective_at ? paramsMembers.length : EXPIRES + 1;
    this.#body = new BodyScanner(bytes);
    this.#kindNames = knownNames(kinds, others);
    this.#operationNames = others ? knownNames(operationMembers, others) : operationNames;
    this.#paramsNames = others ? knownNames(paramsMembers.slice(0, places), others) : paramsNames.slice(0, places);
    this.#digest = digest;
    this.#place = new UserPlace(kinds);
    this.#writer = new PackedWriter(Math.ceil(bytes.length * SHRINKS_TO));
  }

  /**
   * Reads on.
   * @param size the number of bytes after which it stops, at the end of the string or number that it is in
   * @returns whether the body is read, as far as it can be
   */
  step(size: number): boolean {
    const body = this.#body;
    const { length } = body.bytes;
    const stop = Math.min(body.at + size, length);
    while (body.at < stop && !body.fault) this.#advance(stop);
    if (!body.fault && body.at >= length && this.#state !== 'end') body.fail('not json');
    if (body.fault) this.#outcome.reject(body.fault);
    return body.fault !== undefined || body.at >= length;
  }

  /** The outcome, once the whole body is read. */
  get result(): ReadUsers {
    return this.#outcome.finish(this.#writer.users, () => this.#writer.finish());
  }

  #advance(stop: number): void {
    switch (this.#state) {
      case 'identifier':
        this.#identifiers(stop);
        break;
      case 'skipping':
        if (this.#body.skips(stop)) this.#state = this.#afterSkip;
        break;
      case 'start':
      case 'first operation':
      case 'operation':
      case 'after operation':
      case 'end':
        this.#inBody(this.#state);
        break;
      case 'first user':
      case 'user':
      case 'after user':
      case 'first user member':
      case 'user member':
      case 'after user member':
      case 'first identifier':
      case 'after identifier':
        this.#inUsers(this.#state);
        break;
      default:
        this.#inOperation(this.#state);
    }
  }

  #inBody(state: BodyState): void {
    const body = this.#body;
    switch (state) {
      case 'start':
        if (body.takes(OPEN_ARRAY)) this.#state = 'first operation';
        else {
          this.#outcome.reject(noBatch);
          this.#skipTo('end');
        }
        break;
      case 'first operation':
        this.#state = 'operation';
        if (body.takes(CLOSE_ARRAY)) {
          this.#outcome.reject(wrongCount('0'));
          this.#state = 'end';
        }
        break;
      case 'operation':
        this.#beginOperation();
        break;
      case 'after operation':
        if (this.#closes(CLOSE_ARRAY, 'operation')) this.#state = 'end';
        break;
      case 'end':
        if (body.peek() !== undefined) body.fail('not json');
    }
  }

  #inOperation(state: OperationState): void {
    switch (state) {
      case 'first operation member':
        this.#state = 'operation member';
        if (this.#body.takes(CLOSE_OBJECT)) this.#endOperation();
        break;
      case 'operation member':
        this.#operationMember();
        break;
      case 'after operation member':
        if (this.#closes(CLOSE_OBJECT, 'operation member')) this.#endOperation();
        break;
      case 'first params member':
        this.#state = 'params member';
        if (this.#body.takes(CLOSE_OBJECT)) this.#endParams();
        break;
      case 'params member':
        this.#paramsMember();
        break;
      case 'after params member':
        if (this.#closes(CLOSE_OBJECT, 'params member')) this.#endParams();
    }
  }

  #inUsers(state: UsersState): void {
    switch (state) {
      case 'first user':
        this.#state = 'user';
        if (this.#body.takes(CLOSE_ARRAY)) {
          this.#outcome.report(expected('one or more user records', 'params.users'));
          this.#state = 'after params member';
        }
        break;
      case 'user':
        this.#beginUser();
        break;
      case 'after user':
        this.#place.user++;
        if (this.#closes(CLOSE_ARRAY, 'user')) this.#state = 'after params member';
        break;
      case 'first user member':
        this.#state = 'user member';
        if (this.#body.takes(CLOSE_OBJECT)) this.#endUser();
        break;
      case 'user member':
        this.#userMember();
        break;
      case 'after user member':
        if (this.#closes(CLOSE_OBJECT, 'user member')) this.#endUser();
        break;
      case 'first identifier':
        this.#state = 'identifier';
        if (this.#body.takes(CLOSE_ARRAY)) {
          this.#outcome.report(expected('one or more identifiers', this.#place.list));
          this.#state = 'after user member';
        }
        break;
      case 'after identifier':
        if (this.#closes(CLOSE_ARRAY, 'identifier')) this.#state = 'after user member';
    }
  }

  #beginOperation(): void {
    if (this.#outcome.count === MAX_USER_OPERATIONS) {
      this.#body.fault = wrongCount('more');
      return;
    }
    this.#outcome.beginOperation();
    this.#operation.operation_type = undefined;
    this.#operation.effective_at = undefined;
    this.#operation.expires_at = undefined;
    this.#operationMembers = 0;
    this.#paramsMembers = 0;
    this.#usersBefore = this.#writer.users;
    this.#state = 'first operation member';
    if (this.#body.takes(OPEN_OBJECT)) return;
    this.#outcome.report(noOperation);
    this.#outcome.endOperation(this.#operation, 0);
    this.#skipTo('after operation');
  }

  #endOperation(): void {
    this.#state = 'after operation';
    if (!(this.#operationMembers & (1 << OPERATION_TYPE))) this.#outcome.report(missing('operation_type'));
    if (!(this.#operationMembers & (1 << PARAMS))) this.#outcome.report(missing('params'));
    this.#outcome.endOperation(this.#operation, this.#writer.users - this.#usersBefore);
  }

  #operationMember(): void {
    const member = this.#member(this.#operationNames, this.#operationMembers);
    if (member === undefined) return;
    this.#operationMembers |= 1 << member;
    if (member === UNKNOWN) this.#skipTo('after operation member');
    else if (member === OPERATION_TYPE) {
      if (this.#string('after operation member')) {
        this.#operation.operation_type = operationTypes[this.#body.find(typeNames)];
      }
      if (!this.#operation.operation_type) this.#outcome.report(expected('one of Update, Delete', 'operation_type'));
    } else if (this.#body.takes(OPEN_OBJECT)) this.#state = 'first params member';
    else {
      this.#outcome.report(expected('an object', 'params'));
      this.#skipTo('after operation member');
    }
  }

  #endParams(): void {
    this.#state = 'after operation member';
    if (!(this.#paramsMembers & (1 << USERS))) this.#outcome.report(missing('users'));
  }

  #paramsMember(): void {
    const member = this.#member(this.#paramsNames, this.#paramsMembers);
    if (member === undefined) return;
    this.#paramsMembers |= 1 << member;
    if (member === UNKNOWN) this.#skipTo('after params member');
    else if (member !== USERS) this.#time(member === EXPIRES ? 'expires_at' : 'effective_at');
    else if (this.#body.takes(OPEN_ARRAY)) {
      this.#place.user = 0;
      this.#state = 'first user';
    } else {
      this.#outcome.report(expected('an array of user records', 'params.users'));
      this.#skipTo('after params member');
    }
  }

  #time(name: 'expires_at' | 'effective_at'): void {
    const text = this.#string('after params member') ? this.#body.text : undefined;
    const time = parseTimestamp((text && asciiOf(text, MAX_WORD)) ?? '');
    if (time === undefined) this.#outcome.report(expected('time', name, 'invalid date'));
    this.#operation[name] = time;
  }

  /** Passes over a value. @returns whether it is a string, in which case it is the last one of the body */
  #string(after: AfterValue): boolean {
    this.#state = after;
    if (this.#body.peek() === QUOTE) return this.#body.string();
    this.#skipTo(after);
    return false;
  }

  #beginUser(): void {
    this.#userMembers = 0;
    if (this.#body.takes(OPEN_OBJECT)) {
      this.#writer.beginUser();
      this.#state = 'first user member';
      return;
    }
    this.#outcome.report(expected('an object with identifiers', this.#place.record));
    this.#skipTo('after user');
  }

  #endUser(): void {
    this.#state = 'after user';
    this.#writer.endUser();
    if (this.#userMembers === 0) {
      this.#outcome.report(expected(`one or more of ${this.#place.kinds.join(', ')}`, this.#place.record));
    }
  }

  #userMember(): void {
    const member = this.#member(this.#kindNames, this.#userMembers, true);
    if (member === undefined) return;
    this.#userMembers |= 1 << member;
    if (member === UNKNOWN) {
      this.#skipTo('after user member');
      return;
    }
    this.#place.beginList(member);
    this.#state = 'first identifier';
    if (this.#body.takes(OPEN_ARRAY)) return;
    this.#outcome.report(expected('an array of identifiers', this.#place.list));
    this.#skipTo('after user member');
  }

  /** Reads identifiers until their array ends or `stop` is reached. */
  #identifiers(stop: number): void {
    const body = this.#body;
    const { kind } = this.#place;
    do {
      if (this.#place.count++ === MAX_IDENTIFIERS) {
        this.#outcome.report(expected(`up to ${MAX_IDENTIFIERS} identifiers`, this.#place.list));
      }
      if (body.peek() !== QUOTE) {
        this.#outcome.report(expected('text', this.#place.identifier));
        this.#skipTo('after identifier');
        return;
      }
      if (kind === 'partner_user_id') this.#partnerUserId();
      else if (!this.#plainHash(kind)) this.#otherText(kind);
      if (body.fault) return;
      if (this.#closes(CLOSE_ARRAY, 'identifier')) {
        this.#state = 'after user member';
        return;
      }
    } while (body.at < stop && !body.fault);
  }

  /** Reads a string of 64 hex digits without escapes, as nearly all are. @returns whether there was one */
  #plainHash(kind: IdentifierKind): boolean {
    const body = this.#body;
    const start = body.at + 1;
    const end = start + HASH_DIGITS;
    if (body.bytes[end] !== QUOTE || !this.#writer.addHex(kindNumber(kind), body.bytes, start)) return false;
    body.at = end + 1;
    return true;
  }

  #otherText(kind: Exclude<IdentifierKind, 'partner_user_id'>): void {
    if (!this.#body.string()) return;
    const { text } = this.#body;
    if (text?.length === HASH_DIGITS && this.#writer.addHex(kindNumber(kind), text, 0)) return;
    this.#outcome.report(notHashed(this.#place.identifier, kind, text && asciiOf(text, MAX_EXAMINED)));
  }

  #partnerUserId(): void {
    if (!this.#body.string()) return;
    const { text } = this.#body;
    const issue = partnerUserIdIssue(this.#place.identifier, text);
    if (issue) this.#outcome.report(issue);
    else if (text && this.#outcome.isSound) this.#writer.addHash('partner_user_id', this.#digest(text));
  }

  /** Goes to the next element, or says that the array or object is closed. */
  #closes(bracket: number, element: State): boolean {
    const found = this.#body.afterElement(bracket);
    if (found === 'comma') this.#state = element;
    return found === 'bracket';
  }

  /** Reads the name of a member, and rejects an unknown one. @param record whether a user record has it */
  #member(known: readonly KnownName[], present: number, record = false): number | undefined {
    const member = this.#body.name(known, present);
    if (member !== UNKNOWN) return member;
    const { text } = this.#body;
    const sent = text && asciiOf(text, MAX_WORD);
    this.#outcome.report(record ? unknownKind(this.#place.record, sent, known) : unknownMember(sent, known));
    return member;
  }

  #skipTo(after: AfterValue): void {
    this.#body.beginSkipping(depths[after]);
    this.#afterSkip = after;
    this.#state = 'skipping';
  }
}
