/** Requests and replies as handlers see them, the same on every platform. */

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

export interface HttpReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Text of ASCII alone, which needs no encoding, or bytes. */
  readonly body: string | Uint8Array | undefined;
}
