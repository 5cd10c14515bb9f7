/** Long work in pieces: it yields where others may have a turn of the event loop, a few milliseconds of work apart. */
import type { Tick } from './turns.js';

/** Work that yields between its pieces. */
export type Pieces<T> = Generator<undefined, T, undefined>;

/** Does work without a turn for others. */
export function atOnce<T>(pieces: Pieces<T>): T {
  let piece = pieces.next();
  while (!piece.done) piece = pieces.next();
  return piece.value;
}

/** Does work with turns for others. @param tick is awaited between two pieces @throws what a tick throws, too */
export async function inTurns<T>(pieces: Pieces<T>, tick: Tick): Promise<T> {
  let piece = pieces.next();
  while (!piece.done) {
    await tick();
    piece = pieces.next();
  }
  return piece.value;
}
