/** A question that is asked at most once in a while, for all who want the answer. */

export class Poll<T, A extends readonly unknown[] = []> {
  readonly #question: (...args: A) => Promise<T>;
  readonly #maxAge: number;
  #last: T | undefined;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<T> | undefined;

  /** @param maxAge ms for which an answer is good; a failure is not kept */
  constructor(question: (...args: A) => Promise<T>, maxAge: number) {
    this.#question = question;
    this.#maxAge = maxAge;
  }

  /** The last answer, however old; undefined before the first. */
  get last(): T | undefined {
    return this.#last;
  }

  /** Whether the last answer is still good. */
  get isFresh(): boolean {
    return performance.now() - this.#answeredAt < this.#maxAge;
  }

  /** The last answer if it is still good, else a new one. @throws any error of the question */
  async get(...args: A): Promise<T> {
    return this.isFresh ? (this.#last as T) : this.ask(...args);
  }

  /** A new answer, or that of the question under way. @throws any error of the question */
  ask(...args: A): Promise<T> {
    this.#asking ??= this.#renew(args).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #renew(args: A): Promise<T> {
    const answer = await this.#question(...args);
    this.#last = answer;
    this.#answeredAt = performance.now();
    return answer;
  }
}
