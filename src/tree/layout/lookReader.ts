/** Reads in a look, and knows when it is over. */
import type { Look, ReadAnswer, ReadRequest, StoreReader } from '../store/store.js';
import { distrustKey } from './layout.js';

export class LookReader implements StoreReader {
  readonly #look: Look;
  #hasRead = false;
  /** Whether the look is over. A reading that failed may then only need another one. */
  isOver = false;

  constructor(look: Look) {
    this.#look = look;
  }

  get version(): number | undefined {
    return this.#look.version;
  }

  readonly read = async (request: ReadRequest): Promise<ReadAnswer> => {
    this.#hasRead = true;
    const answer = await this.#look.read(request);
    if (answer) return answer;
    this.isOver = true;
    throw new Error('the look is over');
  };

  /** Reads something if nothing was read: then the result rests on cached values that may be out of date. */
  async confirm(): Promise<void> {
    if (!this.#hasRead) await this.read({ keys: [distrustKey], ranges: [] });
  }
}
