/**
 * The part of an AbortSignal that long work asks: every AbortSignal is one. Its own name is missing
 * from the types of programs that have neither those of Node nor those of a browser.
 */
export interface Abort {
  /** Throws the reason once the work is to end. */
  throwIfAborted(): void;
}
