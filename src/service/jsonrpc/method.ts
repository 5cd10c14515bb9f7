/** The type of a method of the service. A method is one file, and one line in the table of methods. */
import type { HttpBody } from '../http/http.js';

/** Awaited between pieces of work, so that other requests get a turn; an error that it throws ends the work. */
export type Pause = () => Promise<void>;

/** How a question of a REST route is answered. */
export interface AnswerContext {
  /** Awaited before each piece of work; an error that it throws ends the work. */
  readonly pause: Pause;
  /** Takes units of cost that only the work shows, before they are spent. */
  readonly charge: (units: number) => void;
}

/** The answer of a REST route. */
export interface RouteAnswer {
  /** JSON; bytes, if it is sent more than once. */
  readonly body: string | Uint8Array<ArrayBuffer>;
  /**
   * What the answer is known by, if it rests on final blocks alone and so never changes: characters that an entity tag may
   * have. Undefined: it may be another one the next time.
   */
  readonly tag: string | undefined;
}

/** An answer that may be another one the next time. */
export const toPassing = (body: string): RouteAnswer => ({ body, tag: undefined });

/** How a call is carried out. */
export interface CallContext {
  readonly pause: Pause;
  /** Aborted once no answer is given any more. A function, for most methods need no signal, and making one costs. */
  readonly signal: () => AbortSignal;
  /** Whether the result may be the bytes of a compact proof. */
  readonly takesCompact: boolean;
}

/** JSON that is written already, and goes into the answer as it is. */
export class JsonText {
  readonly pieces: HttpBody;

  constructor(pieces: HttpBody) {
    this.pieces = pieces;
  }
}

export interface Answer {
  /** JSON, bytes, or JSON that is written already. */
  readonly result: unknown;
  /** The block that was answered for. */
  readonly block?: number;
}

export interface Method<Call = unknown> {
  readonly name: string;
  /** Reads parameters of unknown form. @throws HttpError `invalidParams` */
  read(params: unknown): Call;
  /** Units of work, from 1: one, and one for each storage key or header, say. */
  cost(call: Call): number;
  /** Storage keys that are asked for; without it, none. */
  slots?(call: Call): number;
  /** @throws HttpError */
  run(call: Call, context: CallContext): Promise<Answer>;
}

export type Methods = ReadonlyMap<string, Method>;

/** Where methods are looked up. */
export type MethodTable = Pick<Methods, 'get'>;
