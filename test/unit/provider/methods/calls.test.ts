/** Calls that run in the provider: what they ask of the server, what they rest on, and a server that is hostile. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AnchoredRoot, defineNetwork, givenAnchor } from '../../../../src/anchor/index.js';
import type { Hex } from '../../../../src/bytes.js';
import {
  createProvider,
  type Provider,
  ProviderError,
  type ProviderOptions,
} from '../../../../src/provider/index.js';
import { accounts, word } from '../../../support/anvil.js';
import { blockHashes } from '../../../support/chain.js';
import { assemble, initOf } from '../../../support/contracts/assemble.js';
import { type Contract, deployAnywhere, send } from '../../../support/contracts/contract.js';
import { multicallAddress, placeMulticall } from '../../../support/contracts/multicall.js';
import { deploySamples, type Samples } from '../../../support/contracts/samples.js';
import { deployErc20 } from '../../../support/contracts/tokens.js';
import { type Living, openLiving } from '../../../support/living.js';
import { patience } from '../../../support/runs.js';
import { rejectionOf } from '../../../support/thrown.js';
import { rollup } from '../../../support/worlds.js';

const chains = { l1ChainId: 900, l2ChainId: 31337, rollup };
const network = defineNetwork({ name: 'calls', ...chains, forks: { prague: 0 } });
const [owner, other] = accounts as unknown as [Hex, Hex];

const answer = 'PUSH0 MSTORE 0x20 PUSH0 RETURN';

let world: Living;
let gold: Contract;
let multicall: Contract;
let samples: Samples;
/** Reads 10,000 slots. */
let reader: Hex;
let options: ProviderOptions;
let block: Hex;
beforeAll(async () => {
  world = await openLiving({
    network,
    async prepare(l2) {
      multicall = await placeMulticall(l2);
      return [multicallAddress];
    },
  });
  gold = await deployErc20(world.l2, 'Gold', 'GLD');
  await send(world.l2, gold.call('mint', owner, 1000n));
  await send(world.l2, gold.call('transfer', other, 5n));
  samples = await deploySamples(world.l2);
  const code = assemble(`
    PUSH0
    next: DUP1 SLOAD POP 0x01 ADD DUP1 0x2710 GT @next JUMPI
    ${answer}`);
  reader = (await deployAnywhere(world.l2, { abi: [], bytecode: initOf(code) })).address;
  block = `0x${(await world.finalize()).toString(16)}`;
  options = { l2: world.transport, l1: world.l1Transport, network };
}, patience);
afterAll(() => world.close());

let provider: Provider;
beforeEach(() => open());
afterEach(() => {
  provider.close();
  world.meddle();
});

/** Opens a provider that knows the anchor and nothing else. */
async function open(more: Partial<ProviderOptions> = {}): Promise<void> {
  provider?.close();
  provider = createProvider({ ...options, ...more });
  await provider.anchor();
  world.requests.length = 0;
}

const ask = (method: string, ...params: unknown[]): Promise<unknown> =>
  provider.request({ method, params });
const explain = (method: string, ...params: unknown[]) => provider.explain({ method, params });
const node = (method: string, call: unknown, ...more: unknown[]) =>
  world.l2.call(method, call, block, ...more);

const refusal = (method: string, ...params: unknown[]): Promise<ProviderError> =>
  rejectionOf(ProviderError, ask(method, ...params));

const methods = () => world.requests.map(({ method }) => method);
const balanceOf = (who: Hex) => gold.call('balanceOf', who);
/** A call that runs a program, without a deployment. */
const run = (source: string) => ({ data: assemble(`${source} ${answer}`) });

/** The node has no hints. */
const withoutHint = () =>
  world.meddle((method, _params, reply) =>
    method === 'eth_createAccessList' ? { error: { code: -32601, message: 'unknown' } } : reply,
  );

describe('giving up', () => {
  const endless = { ...run('0x01 next: 0x01 ADD DUP1 @next JUMPI'), gas: '0x2000000' };

  test('ends the run of a call, and no other request', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const { signal } = controller;
    const request = { method: 'eth_call', params: [endless, 'latest'], signal };
    const running = provider.request(request);
    const other = ask('eth_call', balanceOf(owner), 'latest');
    setTimeout(() => controller.abort(reason), 30);
    await expect(running).rejects.toBe(reason);
    expect(await other).toBe(await node('eth_call', balanceOf(owner)));
    await expect(provider.explain(request)).rejects.toBe(reason);
    const balance = { method: 'eth_getBalance', params: [owner, 'latest'], signal };
    await expect(provider.request(balance)).rejects.toBe(reason);
    expect(await ask('eth_getBalance', owner, 'latest')).toMatch(/^0x/);
  });

  test('a signal that is none is refused', async () => {
    for (const signal of [null, {}, 'now']) {
      const request = { method: 'eth_chainId', signal: signal as never };
      await expect(provider.request(request)).rejects.toMatchObject({ code: -32600 });
    }
  });

  test('is done for the caller once all rounds took too long', async () => {
    await open({ callTimeout: 100, gasCap: 10n ** 12n });
    const error = await refusal('eth_call', { ...endless, gas: '0xe8d4a51000' }, 'latest');
    expect(error.data).toMatchObject({ reason: 'TOO_MUCH_WORK' });
    for (const callTimeout of [0, Number.NaN, '5' as never]) {
      expect(() => createProvider({ ...options, callTimeout })).toThrow(/"callTimeout"/);
    }
  });
});

describe('requests', () => {
  test('of a balance: a few, then none, then one for another account', async () => {
    const call = balanceOf(owner);
    expect(await ask('eth_call', call, 'latest')).toBe(await node('eth_call', call));
    expect(methods().length).toBeLessThanOrEqual(4);
    world.requests.length = 0;
    expect(await ask('eth_call', call, 'latest')).toBe(await node('eth_call', call));
    expect(methods()).toEqual([]);
    await ask('eth_call', balanceOf(other), 'latest');
    expect(methods()).toEqual(['l2_getProof']);
  });

  test('of a loop over 200 slots, and a list of 100', async () => {
    const counts: Record<string, number> = {};
    for (const name of ['loop', 'list'] as const) {
      for (const hasHint of [true, false]) {
        await open();
        if (!hasHint) withoutHint();
        const call = { to: samples[name] };
        expect(await ask('eth_call', call, 'latest')).toBe(await node('eth_call', call));
        counts[`${name} ${hasHint}`] = methods().length;
        world.meddle();
      }
    }
    expect(counts['loop true']).toBeLessThanOrEqual(5);
    expect(counts['loop false']).toBeLessThanOrEqual(6);
    expect(counts['list true']).toBeLessThanOrEqual(4);
    // Every link is found by the one before.
    expect(counts['list false']).toBeLessThanOrEqual(105);
  });

  test('a server without hints is asked for one once', async () => {
    withoutHint();
    await ask('eth_call', balanceOf(owner), 'latest');
    await ask('eth_call', { to: samples.loop }, 'latest');
    expect(methods().filter((method) => method === 'eth_createAccessList').length).toBe(1);
  });

  test('an estimate asks for nothing that the call did not', async () => {
    const call = { from: owner, ...gold.call('transfer', other, 1n) };
    expect(await ask('eth_call', call, 'latest')).toBe(await node('eth_call', call));
    world.requests.length = 0;
    expect(await ask('eth_estimateGas', call, 'latest')).toBe(await node('eth_estimateGas', call));
    expect(methods()).toEqual([]);
  });
});

describe('a hint that lies changes nothing', () => {
  const junk = (i: number) => ({
    address: `0x${word(i).slice(24)}`,
    storageKeys: Array.from({ length: 3 }, (_, j) => `0x${word(i * 3 + j)}`),
  });
  const hints: [string, unknown][] = [
    ['nothing', { accessList: [] }],
    ['no list', { accessList: { length: 1e9 } }],
    ['null', null],
    ['text', 'x'],
    ['no addresses', { accessList: [{ address: '0x1', storageKeys: ['0x1'] }, null, 7, []] }],
    ['no slots', { accessList: [{ address: '0x', storageKeys: 7 }, { storageKeys: [null] }] }],
    ['other accounts', { accessList: Array.from({ length: 20 }, (_, i) => junk(i + 1)) }],
    ['other slots', (to: Hex) => ({ accessList: [{ ...junk(7), address: to }] })],
    [
      'the same over and over',
      (to: Hex) => ({ accessList: Array(5000).fill({ ...junk(1), address: to }) }),
    ],
  ];

  test.each(hints)('%s', async (_, hint) => {
    world.meddle((method, _params, reply) => {
      if (method !== 'eth_createAccessList') return reply;
      return { result: typeof hint === 'function' ? hint(gold.address) : hint };
    });
    for (const call of [balanceOf(owner), { to: samples.loop }]) {
      expect(await ask('eth_call', call, 'latest')).toBe(await node('eth_call', call));
    }
  });

  test('code that it names and nobody runs need not come', async () => {
    world.meddle((method, params, reply) => {
      if (method === 'eth_createAccessList') {
        const named = [gold.address, samples.loop].map((address) => ({ address, storageKeys: [] }));
        return { result: { accessList: named } };
      }
      return method === 'eth_getCode' && params[0] === samples.loop ? { result: '0x' } : reply;
    });
    const call = balanceOf(owner);
    expect(await ask('eth_call', call, 'latest')).toBe(await node('eth_call', call));
    expect(await refusal('eth_call', { to: samples.loop }, 'latest')).toMatchObject({
      data: { reason: 'CODE_MISMATCH' },
    });
  });

  test('one that never ends is cut off', async () => {
    const slots = Array.from({ length: 20_000 }, (_, i) => `0x${word(i)}`);
    world.meddle((method, _params, reply) =>
      method === 'eth_createAccessList'
        ? { result: { accessList: [{ address: gold.address, storageKeys: slots }] } }
        : reply,
    );
    expect(await ask('eth_call', balanceOf(owner), 'latest')).toBe(
      await node('eth_call', balanceOf(owner)),
    );
    const asked = world.requests.flatMap(({ method, params }) =>
      method === 'l2_getProof' ? params[1] : [],
    );
    expect(asked.length).toBeLessThanOrEqual(1024 + 8);
  });
});

describe('a hostile server', () => {
  const allowingFailure = () => {
    const inner = { ...balanceOf(owner), target: gold.address, allowFailure: true };
    return multicall.call('aggregate3', [{ ...inner, callData: inner.data }]);
  };

  test('a slot withheld is no zero, not even if failures are allowed', async () => {
    const call = allowingFailure();
    const known = await node('eth_call', call);
    world.meddle((method, params, reply) => {
      if (method !== 'l2_getProof' || params[0] !== gold.address) return reply;
      return {
        result: { ...reply.result, storageProofs: reply.result.storageProofs.map(() => null) },
      };
    });
    expect(await refusal('eth_call', call, 'latest')).toMatchObject({
      code: -31001,
      data: { reason: 'SLOT_WITHHELD' },
    });
    world.meddle((method, params, reply) => {
      if (method !== 'l2_getProof' || params[0] !== gold.address) return reply;
      return { result: { ...reply.result, storageProofs: [] } };
    });
    expect(await refusal('eth_call', call, 'latest')).toMatchObject({ code: -31001 });
    // Nobody answers for the token.
    world.meddle((method, params, reply) =>
      method === 'l2_getProof' && params[0] === gold.address
        ? { error: { code: -32000, message: 'no' } }
        : reply,
    );
    expect(await refusal('eth_call', call, 'latest')).toMatchObject({
      code: -31002,
      data: { reason: 'SERVER_ERROR' },
    });
    world.meddle();
    expect(await ask('eth_call', call, 'latest')).toBe(known);
  });

  test('code of another account', async () => {
    world.meddle((method, _params, reply) =>
      method === 'eth_getCode' ? { result: '0x00' } : reply,
    );
    for (const call of [balanceOf(owner), allowingFailure()]) {
      expect(await refusal('eth_call', call, 'latest')).toMatchObject({
        code: -31001,
        data: { reason: 'CODE_MISMATCH' },
      });
    }
  });

  test('a proof of another account', async () => {
    const proof = await world.transport.call('l2_getProof', [other, [], block]);
    world.meddle((method, _params, reply) =>
      method === 'l2_getProof' ? { result: proof } : reply,
    );
    expect(await refusal('eth_call', balanceOf(owner), 'latest')).toMatchObject({ code: -31001 });
  });
});

describe('a contract that takes much', () => {
  test('a loop without end stops at the gas cap, and lets others have their turns', async () => {
    await open({ gasCap: 2_000_000 });
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const error = await refusal('eth_call', { to: samples.endless }, 'latest');
    clearInterval(timer);
    expect(error).toMatchObject({ code: -32000, data: { reason: 'EXECUTION' } });
    expect(error.message).toMatch(/out of gas/);
    expect(turns).toBeGreaterThan(2);
  });

  test('a loop without end ends with the provider', async () => {
    await ask('eth_call', { to: samples.counter }, 'latest');
    const calls = [
      { to: samples.endless },
      // One that hashes, in a straight line as long as code may be.
      { data: `0x${'5f5f6207ffff5f2050'.repeat(4000)}5b5f56` },
    ];
    for (const call of calls) {
      await open({ gasCap: 10n ** 12n });
      const ended = refusal('eth_call', call, 'latest');
      await new Promise((resolve) => setTimeout(resolve, 300));
      const before = process.cpuUsage();
      provider.close();
      expect(await ended).toMatchObject({ code: 4900 });
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1000).toBeLessThan(200);
    }
  });

  test('10,000 slots are too many, with an error that says so', async () => {
    for (const hasHint of [true, false]) {
      if (!hasHint) withoutHint();
      const error = await refusal('eth_call', { to: reader }, 'latest');
      expect(error).toMatchObject({ code: -31003, data: { reason: 'TOO_MANY_READS' } });
      expect(error.message).toMatch(/4096 slots/);
    }
    world.meddle();
  });
});

describe('values of the header', () => {
  const names = {
    COINBASE: 'coinbase',
    PREVRANDAO: 'prevRandao',
    GASLIMIT: 'gasLimit',
    BASEFEE: 'baseFee',
    BLOBBASEFEE: 'blobBaseFee',
  } as const;
  const header = {
    coinbase: `0x${'cb'.repeat(20)}`,
    prevRandao: `0x${'1d'.repeat(32)}`,
    gasLimit: 30_000_000,
    baseFee: 7n,
    blobBaseFee: 1n,
  } as const;
  /** Calls code that is set over an address, and lets it fail. */
  const inTry = (opcode: string) => ({
    call: { to: samples.forward, data: `0x${word(0xc0de)}` as Hex },
    over: { [`0x${word(0xc0de).slice(24)}`]: { code: assemble(`${opcode} ${answer}`) } },
  });

  test.each(Object.keys(names) as (keyof typeof names)[])(
    '%s fails, in a try too, unless the caller supplies it',
    async (opcode) => {
      const name = names[opcode];
      for (const [call, over] of [
        [run(opcode), undefined],
        [inTry(opcode).call, inTry(opcode).over],
      ]) {
        await open();
        const error = await refusal('eth_call', call, 'latest', over);
        expect(error).toMatchObject({ code: -31003, data: { reason: 'HEADER_VALUE' } });
        expect(error.message).toContain(
          `${opcode}, which is not proven; supply it as header: { ${name} }`,
        );
        await open({ header });
        const { result, assumed, proven } = await explain('eth_call', call, 'latest', over);
        expect(BigInt(`0x${(result as Hex).slice(-64)}`)).toBe(BigInt(header[name]));
        expect({ assumed, proven }).toEqual({ assumed: [name], proven: false });
      }
      // What is supplied and not read is not assumed.
      expect(await explain('eth_call', run('NUMBER'), 'latest')).toMatchObject({
        assumed: [],
        proven: true,
      });
    },
  );

  test('chain id and number are those of the anchor', async () => {
    for (const opcode of ['NUMBER', 'CHAINID']) {
      const told = await explain('eth_call', run(opcode), 'latest');
      expect(told).toMatchObject({ result: await node('eth_call', run(opcode)), proven: true });
    }
  });

  test('the time is proven, claimed, supplied, or refused', async () => {
    const anchor = await provider.anchor();
    const known = BigInt(await node('eth_call', run('TIMESTAMP')));
    const at = (timestamp: AnchoredRoot['timestamp']) =>
      givenAnchor({ ...anchor, network, timestamp });
    const call = run('TIMESTAMP');
    const time = async (more: Partial<ProviderOptions>) => {
      provider.close();
      provider = createProvider({ l2: world.transport, network, ...more });
      const { result, assumed } = await explain('eth_call', call, 'latest');
      return [BigInt(result as Hex), assumed];
    };
    expect(await time({ anchor: at({ value: known, proven: true }) })).toEqual([known, []]);
    expect(await time({ anchor: at({ value: known, proven: false }) })).toEqual([
      known,
      ['timestamp'],
    ]);
    const supplied = { header: { timestamp: 5 } };
    expect(await time({ anchor: at(undefined), ...supplied })).toEqual([5n, ['timestamp']]);
    // What is proven needs no word of the caller.
    expect(await time({ anchor: at({ value: known, proven: true }), ...supplied })).toEqual([
      known,
      [],
    ]);
    provider.close();
    provider = createProvider({ l2: world.transport, network, anchor: at(undefined) });
    expect(await refusal('eth_call', call, 'latest')).toMatchObject({
      data: { reason: 'HEADER_VALUE' },
    });
  });

  test('hashes of earlier blocks come from the proven state', async () => {
    for (const back of [1, 2, 5]) {
      // Shifted: what is returned is the code of a new contract, which must not begin with EF.
      const call = run(`0x0${back} NUMBER SUB BLOCKHASH 0x08 SHR`);
      const { result, assumed } = await explain('eth_call', call, 'latest');
      expect([result, assumed]).toEqual([await node('eth_call', call), ['blockHash']]);
      expect(BigInt(result as Hex)).not.toBe(0n);
    }
    for (const source of [
      'NUMBER BLOCKHASH',
      '0x0101 NUMBER SUB BLOCKHASH',
      '0x01 NUMBER ADD BLOCKHASH',
    ]) {
      const told = await explain('eth_call', run(source), 'latest');
      expect(told).toMatchObject({ result: `0x${word(0)}`, assumed: [] });
    }
    // A contract that holds none.
    const empty = { [blockHashes]: { state: {} } };
    expect(
      await refusal('eth_call', run('0x01 NUMBER SUB BLOCKHASH'), 'latest', empty),
    ).toMatchObject({
      code: -31003,
      data: { reason: 'BLOCK_HASH' },
    });
  });

  test('block overrides take their place for one call', async () => {
    const told = await explain(
      'eth_call',
      run('BASEFEE NUMBER ADD'),
      'latest',
      {},
      {
        baseFeePerGas: '0x5',
        number: '0x64',
      },
    );
    expect(told).toMatchObject({ result: `0x${word(105)}`, assumed: ['baseFee', 'number'] });
    expect(await refusal('eth_call', run('NUMBER'), 'latest', {}, { base: '0x1' })).toMatchObject({
      code: -32602,
    });
  });
});

describe('prices', () => {
  const call = { from: other, gas: '0x100000' };
  test('a gas price is paid, and seen', async () => {
    for (const source of ['GASPRICE', 'CALLER BALANCE']) {
      const asked = { ...call, ...run(source), gasPrice: '0x3b9aca00' };
      expect(await ask('eth_call', asked, 'latest')).toBe(await node('eth_call', asked));
    }
  });

  test('a price that follows from the base fee is refused once it matters', async () => {
    const fees = { maxFeePerGas: '0x3b9aca00', maxPriorityFeePerGas: '0x1' };
    for (const source of ['GASPRICE', 'CALLER BALANCE']) {
      const asked = { ...call, ...run(source), ...fees };
      expect(await refusal('eth_call', asked, 'latest')).toMatchObject({
        data: { reason: 'HEADER_VALUE' },
      });
    }
    const { baseFeePerGas } = await world.l2.call('eth_getBlockByNumber', block, false);
    await open({ header: { baseFee: BigInt(baseFeePerGas) } });
    for (const source of ['GASPRICE', 'CALLER BALANCE']) {
      const asked = { ...call, ...run(source), ...fees };
      expect(await ask('eth_call', asked, 'latest')).toBe(await node('eth_call', asked));
    }
    await open();
    const transfer = { from: owner, ...fees, ...gold.call('transfer', other, 1n) };
    expect(await ask('eth_estimateGas', transfer)).toBe(await node('eth_estimateGas', transfer));
  });

  test('what the sender does not have is not spent', async () => {
    const poor = `0x${'5e'.repeat(20)}`;
    for (const asked of [
      { from: poor, to: other, value: '0x1' },
      { from: poor, to: other, gasPrice: '0x1' },
    ]) {
      expect(await refusal('eth_call', asked, 'latest')).toMatchObject({
        code: -32000,
        data: { reason: 'EXECUTION' },
      });
    }
    expect(
      (await refusal('eth_estimateGas', { from: poor, to: gold.address, gasPrice: '0x1' })).message,
    ).toMatch(/gas required exceeds allowance \(0\)/);
  });
});

test('a revert is code 3 with its data', async () => {
  const call = { from: other, ...gold.call('transfer', owner, 10n ** 30n) };
  for (const method of ['eth_call', 'eth_estimateGas']) {
    const error = await refusal(method, call, 'latest');
    expect(error.code).toBe(3);
    expect(error.data).toMatch(/^0x08c379a0/);
    expect(error.message).toBe('execution reverted: ERC20: transfer amount exceeds balance (3)');
  }
  expect(await ask('eth_createAccessList', call, 'latest')).toMatchObject({
    error: 'execution reverted',
  });
});

test('a wrong parameter is told before anybody is asked', async () => {
  const to = gold.address;
  const wrong: [unknown, unknown?, unknown?][] = [
    [undefined],
    [7],
    [[]],
    [{ to: '0x1' }],
    [{ to, data: '0x1' }],
    [{ to, data: 7 }],
    [{ to, data: '0x01', input: '0x02' }],
    [{ to, value: '-1' }],
    [{ to, gas: '0x1ffffffffffffffff' }],
    [{ to, gasPrice: '0x1', maxFeePerGas: '0x1' }],
    [{ to, maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' }],
    [{ to, chainId: '0x1' }],
    [{ to, accessList: 7 }],
    [{ to, accessList: [{ address: to, storageKeys: 7 }] }],
    [{ to, accessList: [{ address: '0x', storageKeys: [] }] }],
    [{ to, authorizationList: [{}] }],
    [{ to, blobVersionedHashes: ['0x'] }],
    [{ to }, 7],
    [{ to }, { '0x1': {} }],
    [{ to }, { [to]: 7 }],
    [{ to }, { [to]: { balance: 'x' } }],
    [{ to }, { [to]: { code: '0x1' } }],
    [{ to }, { [to]: { state: {}, stateDiff: {} } }],
    [{ to }, { [to]: { movePrecompileToAddress: other } }],
    [{ to }, { [to]: { stateDiff: { x: '0x1' } } }],
    [{ to }, {}, { number: 'x' }],
  ];
  for (const [call, over, blockOverrides] of wrong) {
    const error = await refusal('eth_call', call, 'latest', over, blockOverrides);
    expect(error.code, JSON.stringify([call, over, blockOverrides])).toBe(-32602);
  }
  expect(methods()).toEqual([]);
});

test('options that are wrong are told at once', () => {
  for (const more of [
    { gasCap: -1 },
    { gasCap: 1.5 },
    { gasCap: '5' },
    { header: 7 },
    { header: { coinbase: '0x1' } },
    { header: { basefee: 1n } },
    { header: { baseFee: -1n } },
    { header: { gasLimit: 2n ** 64n } },
  ]) {
    expect(
      () => createProvider({ ...options, ...(more as object) }),
      JSON.stringify(more, (_, v) => (typeof v === 'bigint' ? `${v}` : v)),
    ).toThrow(/gasCap|header/);
  }
});

test('a caller may still have the answers of the server, by name', async () => {
  const call = run('COINBASE');
  await open({ passthrough: ['eth_call', { method: 'eth_estimateGas', tag: 'pending' }] });
  expect(await explain('eth_call', call, 'latest')).toMatchObject({
    proven: false,
    assumed: ['result'],
  });
  const transfer = { from: owner, ...gold.call('transfer', other, 1n) };
  expect(await explain('eth_estimateGas', transfer, 'latest')).toMatchObject({ proven: true });
  expect(await explain('eth_estimateGas', transfer, 'pending')).toMatchObject({ proven: false });
  await open({ passthrough: ['send'] });
  expect(await explain('eth_estimateGas', transfer)).toMatchObject({ proven: true });
});

test('what a prototype holds changes nothing', async () => {
  const call = { ...balanceOf(owner) };
  const known = await node('eth_call', call);
  const lent: Record<string, unknown> = {
    header: { coinbase: '0x1' },
    gasCap: 1,
    coinbase: `0x${'cb'.repeat(20)}`,
    baseFee: 5n,
    timestamp: 7n,
    nonce: 9n,
    balance: 3n,
    state: new Map(),
    stateDiff: new Map(),
    from: 'x',
    gas: '0x1',
    maxFeePerGas: '0x7',
    input: '0x01',
  };
  for (const [name, value] of Object.entries(lent)) {
    Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true });
  }
  try {
    provider.close();
    provider = createProvider(options);
    const result = await ask('eth_call', call, 'latest');
    const refused = await ask('eth_call', run('COINBASE'), 'latest').catch(
      ({ data }) => data.reason,
    );
    Object.defineProperty(Object.prototype, 'isStatic', { value: true, configurable: true });
    // The package would believe this one.
    const engine = await ask('eth_call', call, 'latest').catch(({ data }) => data.reason);
    Reflect.deleteProperty(Object.prototype, 'isStatic');
    const over = await explain('eth_call', run('CALLER BALANCE'), 'latest', { [other]: {} });
    for (const name of Object.keys(lent)) Reflect.deleteProperty(Object.prototype, name);
    expect({ result, refused, engine, assumed: over.assumed }).toEqual({
      result: known,
      refused: 'HEADER_VALUE',
      engine: 'ENGINE',
      assumed: [],
    });
    expect(over.result).toBe(await node('eth_call', run('CALLER BALANCE')));
  } finally {
    for (const name of Object.keys(lent)) Reflect.deleteProperty(Object.prototype, name);
  }
});
