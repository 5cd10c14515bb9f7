/** Outcomes on their way back from a worker: a state as it is, an error as its parts. */
import { type WrongArgument, wrongRange, wrongType } from '../errors.js';
import {
  type ProofOutcome,
  ShapeError,
  type VerificationCode,
  VerificationError,
  type VerifiedState,
} from '../index.js';

/** The parts of an error that a thread cannot send as itself. */
interface EncodedError {
  readonly name: string;
  /** The message without path and code. */
  readonly reason: string;
  /** Or the name of an argument; `` for none. */
  readonly path: string;
  readonly code: VerificationCode | undefined;
}

/** One outcome per item of a job, in order. Safe to clone. */
export type Reply = readonly (
  | { readonly ok: true; readonly state: VerifiedState }
  | { readonly ok: false; readonly refusal: EncodedError }
)[];

function encodeError(error: unknown): EncodedError {
  if (error instanceof VerificationError || error instanceof ShapeError) {
    const { name, reason, path, code } = error;
    return { name, reason, path, code };
  }
  const {
    name,
    message,
    argument: path = '',
    reason = message,
  } = error as Error & Partial<WrongArgument>;
  return { name, reason, path, code: undefined };
}

/** Encodes the outcomes of one job. */
export function encodeOutcomes(outcomes: readonly ProofOutcome[]): Reply {
  return outcomes.map((outcome) =>
    outcome.ok ? outcome : { ok: false, refusal: encodeError(outcome.error) },
  );
}

/** A clone is not frozen, whatever it was made of. */
function freezeState(state: VerifiedState): VerifiedState {
  if (state.account) Object.freeze(state.account);
  for (const slot of state.storage) Object.freeze(slot);
  Object.freeze(state.storage);
  return Object.freeze(state);
}

function decodeError({ name, reason, path, code }: EncodedError): Error {
  if (code !== undefined) return new VerificationError(code, path, reason);
  if (name === 'ShapeError') return new ShapeError(path, reason);
  if (name === 'TypeError') return path === '' ? new TypeError(reason) : wrongType(path, reason);
  if (name === 'RangeError') return path === '' ? new RangeError(reason) : wrongRange(path, reason);
  return new Error(reason);
}

/** Outcomes as the verifier gives them: states frozen, errors of their own class. */
export function decodeOutcomes(reply: Reply): ProofOutcome[] {
  return reply.map((entry) =>
    entry.ok
      ? { ok: true, state: freezeState(entry.state) }
      : { ok: false, error: decodeError(entry.refusal) },
  );
}
