/** What each question is given beside the session. */
export interface Means {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Tells the reader what is being proven. */
  say(text: string): void;
}
