/** Calls as the provider runs them, beside the bare EVM on ethereumjs' own state, which holds the same, in one run. */
import { createCustomCommon, Mainnet } from '@ethereumjs/common';
import { EVM, type EVMResult, NobleBN254, paramsEVM } from '@ethereumjs/evm';
import { SimpleStateManager } from '@ethereumjs/statemanager';
import { Account, Address, hexToBytes } from '@ethereumjs/util';
import type { Call, CallOutcome } from '../src/evm/call/call.js';
import { openSession, type StateAnswer, type StateSource } from '../src/evm/index.js';
import type { Hex, Account as ProvenAccount } from '../src/index.js';
import type { CallWorld } from '../test/support/calls/world.js';
import { ratioOf, type Spread, spreadOf } from './measure.js';

export interface BenchCall {
  readonly name: string;
  readonly from?: string;
  readonly to: Hex;
  readonly data?: Hex;
}

/** All that a call reads. */
export interface Recorded {
  readonly accounts: Map<Hex, { account: ProvenAccount | null; slots: Map<Hex, Hex> }>;
  /** By keccak hash. */
  readonly codes: Map<Hex, Hex>;
}

export interface StateReport {
  readonly name: string;
  /** Microseconds a call. */
  readonly ours: Spread;
  readonly theirs: Spread;
  readonly ratio: Spread;
}

const zero: Hex = `0x${'0'.repeat(40)}`;
const gas = 16_000_000n;
const fork = 'prague';

/** What contracts see of the block. */
const header = {
  number: 100n,
  timestamp: 1_800_000_000n,
  coinbase: new Address(hexToBytes(zero)),
  gasLimit: 30_000_000n,
  baseFeePerGas: 7n,
  prevRandao: new Uint8Array(32),
  getBlobGasPrice: () => 1n,
};

/** Runs a call on the world's tree. @returns all that it read */
export async function record(world: CallWorld, call: BenchCall): Promise<Recorded> {
  const { living, block } = world;
  const recorded: Recorded = { accounts: new Map(), codes: new Map() };
  const source: StateSource = {
    known: () => undefined,
    knownCode: () => undefined,
    read: (questions) =>
      Promise.all(
        questions.map(async ({ address, storageKeys }): Promise<StateAnswer> => {
          const { account, storage } = await living.tree.read(address, storageKeys, Number(block));
          const entry = recorded.accounts.get(address) ?? { account, slots: new Map() };
          for (const { key, value } of storage) entry.slots.set(key, value);
          recorded.accounts.set(address, entry);
          return { account, values: storage.map(({ value }) => value) };
        }),
      ),
    async code(address, { keccakCodeHash }) {
      const code: Hex = await living.l2.call('eth_getCode', address, block);
      recorded.codes.set(keccakCodeHash, code);
      return code;
    },
  };
  const session = await openSession({ source, environment });
  const { kind } = await session.execute(toCall(call));
  if (kind !== 'success') throw new Error(`${call.name}: ${kind}`);
  return recorded;
}

/** The same with what the bare EVM reads beside it: accounts that a call without value only passes by. */
export async function recordAll(world: CallWorld, call: BenchCall): Promise<Recorded> {
  const recorded = await record(world, call);
  const passedBy = [call.from ?? zero, call.to, ...precompiles] as Hex[];
  for (const address of passedBy.filter((one) => !recorded.accounts.has(one))) {
    const { account } = await world.living.tree.read(address, [], Number(world.block));
    recorded.accounts.set(address, { account, slots: new Map() });
  }
  return recorded;
}

/** Precompiles that the calls use. */
const precompiles = [1, 2, 4].map((n) => `0x${n.toString(16).padStart(40, '0')}`);

type OurRun = () => Promise<CallOutcome>;
type Run = () => Promise<EVMResult>;

async function openEvm(stateManager: SimpleStateManager) {
  const common = createCustomCommon({ chainId: 31337 }, Mainnet, {
    hardfork: fork,
    params: paramsEVM,
  });
  return new EVM({ common, stateManager, bn254: new NobleBN254() });
}

const optionsOf = ({ from, to, data }: BenchCall) => ({
  caller: new Address(hexToBytes((from ?? zero) as Hex)),
  to: new Address(hexToBytes(to)),
  data: hexToBytes(data ?? '0x'),
  gasLimit: gas,
  block: { header } as never,
});

/** What contracts see of the block, as calls on our state are told. */
const environment = {
  chainId: 31337,
  fork,
  number: Number(header.number),
  proven: {
    timestamp: header.timestamp,
    gasLimit: header.gasLimit,
    baseFee: header.baseFeePerGas,
    coinbase: zero,
  },
  assumed: {},
} as const;

const toCall = (call: BenchCall): Call => ({
  ...{ from: (call.from ?? zero) as Hex, to: call.to, data: hexToBytes(call.data ?? '0x') },
  ...{ value: 0n, gas, gasPrice: 0n, maxGasPrice: 0n, accessList: [] },
});

/** A session for each call, as the provider has it, which knows everything: engines are kept from one to the next. */
async function openOurs(call: BenchCall, { accounts, codes }: Recorded): Promise<OurRun> {
  const source: StateSource = {
    known: (address) => accounts.get(address),
    knownCode: ({ keccakCodeHash }) => codes.get(keccakCodeHash),
    read: () => Promise.reject(new Error('something was not recorded')),
    code: () => Promise.reject(new Error('something was not recorded')),
  };
  const asked = toCall(call);
  return async () => (await openSession({ source, environment })).execute(asked);
}

/** The package's own state, with what the call reads. */
export async function openTheirs(call: BenchCall, { accounts, codes }: Recorded): Promise<Run> {
  const state = new SimpleStateManager();
  for (const [hex, { account, slots }] of accounts) {
    const address = new Address(hexToBytes(hex));
    if (account === null) continue;
    await state.putAccount(address, new Account(account.nonce, account.balance));
    const code = codes.get(account.keccakCodeHash);
    if (code !== undefined) await state.putCode(address, hexToBytes(code));
    for (const [key, value] of slots) {
      const bytes = hexToBytes(value);
      const first = bytes.findIndex((byte) => byte !== 0);
      if (first >= 0) await state.putStorage(address, hexToBytes(key), bytes.subarray(first));
    }
  }
  const evm = await openEvm(state);
  const options = optionsOf(call);
  return async () => {
    evm.journal.cleanJournal();
    await evm.journal.checkpoint();
    const result = await evm.runCall(options);
    await evm.journal.revert();
    return result;
  };
}

const processorTime = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** A sampler as `timed` makes it, of work that is awaited. */
export async function timedRun(
  run: () => Promise<unknown>,
  sampleMs = 30,
): Promise<() => Promise<number>> {
  const until = performance.now() + 400;
  const start = processorTime();
  let calls = 0;
  while (calls < 3 || performance.now() < until) {
    await run();
    calls++;
  }
  const perSample = Math.max(1, Math.round((1000 * sampleMs * calls) / (processorTime() - start)));
  return async () => {
    await run();
    const from = processorTime();
    for (let i = 0; i < perSample; i++) await run();
    return (processorTime() - from) / perSample;
  };
}

/** Runs both by turns. */
export async function compareStates(
  world: CallWorld,
  call: BenchCall,
  rounds: number,
): Promise<StateReport> {
  const recorded = await recordAll(world, call);
  const ours = await openOurs(call, recorded);
  const theirs = await openTheirs(call, recorded);
  const [outcome, { execResult }] = [await ours(), await theirs()];
  const isEqual = Buffer.from(outcome.output).equals(execResult.returnValue);
  // Gas differs: a bare EVM does not know what is warm from the start. Tests hold it to a node's.
  if (outcome.kind !== 'success' || execResult.exceptionError || !isEqual) {
    throw new Error(`${call.name}: the two states give different results`);
  }
  const samplers = [await timedRun(ours), await timedRun(theirs)] as const;
  const samples: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    for (const at of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      samples[at].push(await samplers[at]());
    }
  }
  return {
    name: call.name,
    ours: spreadOf(samples[0]),
    theirs: spreadOf(samples[1]),
    ratio: ratioOf(samples[0], samples[1]),
  };
}
