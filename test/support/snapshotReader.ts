/**
 * Reads a snapshot as docs/snapshot.md says, and from that page alone: which law of the file's form a content breaks. The
 * order of its lists is not looked at: a list that another order replaced has another root.
 */
import type { HashFamily } from '../../src/index.js';
import { moduli } from './reference.js';

class Broken extends Error {}

function must(holds: boolean, law: string): asserts holds {
  if (!holds) throw new Broken(law);
}

const noKeccak = 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';

class Reader {
  at = 106;
  places = 0;
  trees = 0;

  constructor(
    readonly content: Buffer,
    readonly family: HashFamily,
    /** `snarkCodeHash` of an account that never had code. */
    readonly noSnark: string,
  ) {}

  bytes(width: number): Buffer {
    must(this.at + width <= this.content.length, 'the content is cut');
    this.at += width;
    return this.content.subarray(this.at - width, this.at);
  }

  number(): number {
    const groups: number[] = [];
    do groups.push(this.bytes(1)[0] as number);
    while ((groups.at(-1) as number) >= 128);
    must(groups.length === 1 || groups.at(-1) !== 0, 'a number of more bytes than it needs');
    return groups.reduce((sum, group, i) => sum + (group % 128) * 128 ** i, 0);
  }

  integer(width: number): bigint {
    const length = this.bytes(1)[0] as number;
    must(length <= width, 'an integer that is too long');
    const bytes = this.bytes(length);
    must(bytes[0] !== 0, 'an integer with a leading zero');
    return BigInt(`0x${bytes.toString('hex') || '0'}`);
  }

  digest(): string {
    const digest = this.bytes(32).toString('hex');
    must(isCanonical(this.family, digest), 'not canonical');
    return digest;
  }

  tree(readLeaf: () => void): number {
    const nextFreeNode = this.number();
    this.number();
    this.number();
    must(nextFreeNode >= 2 && nextFreeNode <= 2 ** 40, 'nextFreeNode');
    this.places += nextFreeNode;
    let leaves = 0;
    for (let index = 2; index < nextFreeNode; index++) {
      index += this.number();
      must(index <= nextFreeNode, 'a gap beyond nextFreeNode');
      if (index === nextFreeNode) break;
      readLeaf();
      leaves++;
    }
    return leaves;
  }

  /** `prev`, `next` and `hKey`. */
  links(): void {
    this.number();
    this.number();
    this.digest();
  }

  slot(): void {
    this.links();
    must(this.integer(32) > 0n, 'a slot that is zero');
  }

  account(): void {
    const form = this.bytes(1)[0] as number;
    const kind = form % 4;
    must(form < 8 && kind < 3, 'kind');
    if (form >= 4) {
      this.trees++;
      const before = this.places;
      this.tree(() => this.slot());
      must(this.places - before > 2, 'a storage tree that never had a slot');
    }
    this.links();
    this.integer(8);
    const balance = this.integer(32);
    must(this.family !== 'mimc' || balance < moduli.mimc, 'not canonical');
    if (kind === 2) {
      const snark = this.digest();
      const keccak = this.bytes(32).toString('hex');
      const isOther = this.integer(8) === 0n && keccak === noKeccak;
      must(!(isOther && [this.noSnark, '0'.repeat(64)].includes(snark)), 'another kind');
    }
  }
}

function isCanonical(family: HashFamily, digest: string): boolean {
  const elements = digest.match(family === 'mimc' ? /.{64}/g : /.{8}/g) as string[];
  return elements.every((element) => BigInt(`0x${element}`) < moduli[family]);
}

/**
 * @param content of a snapshot, without its checksums
 * @param noSnark `snarkCodeHash` of an account that never had code, 64 hex digits
 * @returns the law that it breaks; undefined if it breaks none
 */
export function lawBrokenBy(content: Buffer, noSnark: string): string | undefined {
  const headerNumber = (at: number, width: number) =>
    BigInt(`0x${content.toString('hex', at, at + width)}`);
  try {
    must(content.length > 106, 'no header');
    must(content.toString('latin1', 0, 8) === 'l2snap\r\n', 'no snapshot');
    must(content[8] === 1, 'version');
    must(content[9] === 1 || content[9] === 2, 'family');
    must(headerNumber(10, 8) < 2n ** 53n, 'chain id');
    must(headerNumber(18, 6) <= 2n ** 48n - 2n, 'block');
    const reader = new Reader(content, content[9] === 1 ? 'mimc' : 'poseidon2', noSnark);
    const accounts = reader.tree(() => reader.account());
    must(reader.at === content.length, 'bytes behind the last account');
    const counts = [accounts, reader.trees, reader.places].map(BigInt);
    must(
      counts.every((count, i) => count === headerNumber(88 + 6 * i, 6)),
      'counts',
    );
    return undefined;
  } catch (error) {
    if (error instanceof Broken) return error.message;
    throw error;
  }
}
