/** Requests and replies as handlers see them, the same on every platform. */
import { joinBytes } from '../../bytes.js';

/** A request whose path was read. */
export interface HttpRequest {
  readonly method: string;
  /** The value of a header; undefined if it did not come. @param name in lower case */
  header(name: string): string | undefined;
  /** The whole body; called once at most. @throws HttpError with status 413, or 499 if the client went away before the end */
  text(maxBytes: number): Promise<string>;
  /** Whether the client went away. */
  isGone(): boolean;
}

/** Text of ASCII alone, which needs no encoding, or bytes. */
export type BodyPiece = string | Uint8Array;

/** Joined for nobody: Node sends pieces as they are, and would copy a text that was joined once more. */
export type HttpBody = readonly BodyPiece[];

/** Bytes of a body. */
export function bodyLength(body: HttpBody): number {
  let length = 0;
  for (const piece of body) length += piece.length;
  return length;
}

const encoder = new TextEncoder();

/** The bytes of a body in one piece. */
export const wholeBody = (body: HttpBody): Uint8Array =>
  joinBytes(body.map((piece) => (typeof piece === 'string' ? encoder.encode(piece) : piece)));

export interface HttpReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: HttpBody | undefined;
}
