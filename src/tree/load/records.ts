/** Reads sorted records one by one, and waits only when a page ends. */
export class RecordReader {
  readonly #pages: AsyncGenerator<Uint8Array>;
  readonly #width: number;
  #page: Uint8Array = new Uint8Array(0);
  #at = 0;

  /** @param width bytes of a record; each page holds whole ones */
  constructor(pages: AsyncGenerator<Uint8Array>, width: number) {
    this.#pages = pages;
    this.#width = width;
  }

  /** Whether the next record is at hand, without waiting. */
  get isReady(): boolean {
    return this.#at < this.#page.length;
  }

  /** Reads the next page if the one at hand is over. @returns false after the last record */
  async fill(): Promise<boolean> {
    while (!this.isReady) {
      const { value, done } = await this.#pages.next();
      if (done) return false;
      this.#page = value;
      this.#at = 0;
    }
    return true;
  }

  /** The next record, which may be overwritten once a page is read. */
  take(): Uint8Array {
    const record = this.#page.subarray(this.#at, this.#at + this.#width);
    this.#at += this.#width;
    return record;
  }
}
