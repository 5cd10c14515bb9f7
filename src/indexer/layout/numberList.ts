/** Numbers below 2^32, one behind the other, outside the engine's heap: a collection of garbage need not look at them. */
export class NumberList {
  #numbers = new Uint32Array(64);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The numbers, as long as none is added. */
  get all(): Uint32Array {
    return this.#numbers.subarray(0, this.#length);
  }

  push(number: number): void {
    if (this.#length === this.#numbers.length) this.#makeRoom(1);
    this.#numbers[this.#length++] = number;
  }

  /** Adds numbers, each by so much greater. */
  append(numbers: Uint32Array, by: number): void {
    this.#makeRoom(numbers.length);
    const end = this.#length;
    for (let i = 0; i < numbers.length; i++) this.#numbers[end + i] = (numbers[i] as number) + by;
    this.#length += numbers.length;
  }

  /** Forgets all numbers behind so many. */
  cut(length: number): void {
    this.#length = length;
  }

  #makeRoom(count: number): void {
    let room = this.#numbers.length;
    while (room < this.#length + count) room *= 2;
    if (room === this.#numbers.length) return;
    const longer = new Uint32Array(room);
    longer.set(this.all);
    this.#numbers = longer;
  }
}
