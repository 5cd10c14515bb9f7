/** Amounts with what proves them: what each call has read is noted, and proven once for a whole page. */
import type { AbiCall } from '../../abi/call.js';
import type { Hex } from '../../bytes.js';
import type { StateTree } from '../../tree/index.js';
import type { Amounts } from '../chain/amounts.js';
import type { Pause } from '../jsonrpc/method.js';
import { entriesOf, type NotedCall, nameOf, type Reads } from './notedCalls.js';
import type { PageProofSource } from './pageProofs.js';

/** Bytes of code that a page proves at most. Items beyond are not proven; a shorter page has fewer. */
const maxCode = 4 * 1024 * 1024;

/** An account, and slots of it, proven. */
export interface AccountEntry {
  readonly address: Hex;
  readonly storageKeys: readonly Hex[];
  /** Of the kind that the source gives. */
  readonly proof: Hex | object;
}

/** The prover of the items of a page. */
export interface PageProofs {
  readonly block: number;
  readonly stateRoot: Hex;
  readonly accounts: readonly AccountEntry[];
  readonly codes: readonly Hex[];
}

export interface Prover extends Amounts {
  /** Makes calls whose answers matter to the reader alone, so that they can be cited. @param pause as for `call` */
  attempt(calls: readonly AbiCall[], pause: Pause): Promise<void>;
  /** Whether a call was made, and the state alone decides its answer. */
  canProve(call: AbiCall): boolean;
  /** Cites the accounts that calls have read, so that they are proven; undefined if one of the calls cannot be proven. */
  cite(calls: readonly AbiCall[]): readonly Hex[] | undefined;
  /** Cites an account alone. */
  citeAccount(address: Hex): readonly Hex[];
  /** What slots of an account hold, 32 bytes each. */
  slots(address: Hex, storageKeys: readonly Hex[]): Promise<readonly Hex[]>;
  /** Cites an account with slots; undefined if the page has too many. */
  citeSlots(address: Hex, storageKeys: readonly Hex[]): readonly Hex[] | undefined;
  /** Accounts and slots that were cited. */
  readonly size: number;
  /** Proves what was cited. @param pause awaited between pieces; what it throws ends the work */
  prove(pause: Pause): Promise<PageProofs>;
}

interface ProverOptions {
  readonly tree: Pick<StateTree, 'read'>;
  readonly block: number;
  readonly proofs: PageProofSource;
  /** @param pause as for `call` @returns undefined if the engine cannot make the call */
  execute(call: AbiCall, pause: Pause): Promise<NotedCall | undefined>;
  /** Makes the calls that the engine cannot make. */
  readonly other: Amounts;
}

const bytesOf = (codes: ReadonlyMap<Hex, Hex>): number =>
  [...codes.values()].reduce((sum, code) => sum + code.length / 2, 0);

/** All that was read by any of them. */
function together(all: readonly Reads[]): Reads {
  const slots = new Map<Hex, Set<Hex>>();
  const codes = new Map<Hex, Hex>();
  for (const one of all) {
    for (const [address, keys] of one.slots) {
      const known = slots.get(address) ?? new Set();
      slots.set(address, known);
      for (const key of keys) known.add(key);
    }
    for (const [hash, code] of one.codes) codes.set(hash, code);
  }
  return { slots, codes };
}

export function createPageProver(options: ProverOptions): Prover {
  const { tree, block, proofs, execute, other } = options;
  /** What each call has read; a call that cannot be proven is not there. */
  const read = new Map<string, Reads>();
  let cited = together([]);

  async function run(call: AbiCall, pause: Pause): Promise<NotedCall | undefined> {
    const made = await execute(call, pause);
    if (made?.isProvable) read.set(nameOf(call), made.reads);
    return made;
  }

  /** @returns the accounts; undefined if that would be too much for a page */
  function add(own: Reads): readonly Hex[] | undefined {
    const sum = together([cited, own]);
    const isOver = entriesOf(sum.slots) > proofs.maxEntries || bytesOf(sum.codes) > maxCode;
    if (isOver) return undefined;
    cited = sum;
    return [...own.slots.keys()];
  }

  return {
    balanceAt: async (address) => (await tree.read(address, [], block)).account?.balance ?? 0n,
    async call(calls, _, pause) {
      const answers: (Uint8Array | undefined)[] = [];
      for (const call of calls) {
        await pause();
        const ran = await run(call, pause);
        answers.push(ran ? ran.answer : (await other.call([call], block, pause))[0]);
      }
      return answers;
    },
    async attempt(calls, pause) {
      for (const call of calls) {
        await pause();
        await run(call, pause);
      }
    },
    canProve: (call) => read.has(nameOf(call)),
    cite(calls) {
      const found = calls.flatMap((call) => read.get(nameOf(call)) ?? []);
      return found.length < calls.length ? undefined : add(together(found));
    },
    citeAccount(address) {
      cited = together([cited, { slots: new Map([[address, new Set()]]), codes: new Map() }]);
      return [address];
    },
    slots: async (address, storageKeys) =>
      (await tree.read(address, storageKeys, block)).storage.map(({ value }) => value),
    citeSlots: (address, storageKeys) =>
      add({ slots: new Map([[address, new Set(storageKeys)]]), codes: new Map() }),
    get size() {
      return entriesOf(cited.slots);
    },
    async prove(pause) {
      const stateRoot = await proofs.stateRoot();
      const accounts: AccountEntry[] = [];
      for (const [address, keys] of cited.slots) {
        await pause();
        const question = { address, storageKeys: [...keys] };
        accounts.push({ ...question, proof: await proofs.prove(question, stateRoot, pause) });
      }
      return { block, stateRoot, accounts, codes: [...cited.codes.values()] };
    },
  };
}
