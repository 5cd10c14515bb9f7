/**
 * Looks at the store. Statements that find the same batch written before are of one moment: to
 * begin and end a transaction around them takes as long as to read.
 */
import type { Look, ReadRequest } from '../tree/index.js';
import type { Marked } from './reader.js';

/** Reads in one statement; undefined if that is not enough. */
type ReadAtOnce = (request: ReadRequest) => Promise<Marked | undefined>;

export class Looks {
  readonly #read: ReadAtOnce;
  /** The mark that was read last, and how many times it was another one than before. */
  #mark: string | undefined;
  #version = 0;

  constructor(read: ReadAtOnce) {
    this.#read = read;
  }

  open(): Look {
    let mark = this.#mark;
    return {
      version: mark === undefined ? undefined : this.#version,
      read: async (request) => {
        const found = await this.#read(request);
        // An empty request asks for no mark.
        if (found?.mark === undefined) return found?.answer;
        this.#note(found.mark);
        mark ??= found.mark;
        return found.mark === mark ? found.answer : undefined;
      },
    };
  }

  /** Makes the next look ask for the mark, because this process has written. */
  forget(): void {
    this.#mark = undefined;
  }

  #note(mark: string): void {
    if (mark === this.#mark) return;
    this.#mark = mark;
    this.#version++;
  }
}
