/** Opcodes that are done here: copies with zeros behind the end, and hashes of much memory, beside a node. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Hex } from '../../../src/bytes.js';
import { openSession, type StateSource } from '../../../src/evm/index.js';
import { type Anvil, startAnvil, word } from '../../support/anvil.js';
import { assemble } from '../../support/contracts/assemble.js';
import { fromHex, toHex } from '../../support/hex.js';
import { patience } from '../../support/runs.js';

const target: Hex = `0x${'aa'.repeat(20)}`;
const sender: Hex = `0x${'00'.repeat(19)}01`;
const source: StateSource = {
  known: () => undefined,
  knownCode: () => undefined,
  read: async (questions) => questions.map(() => ({ account: null, values: [] })),
  code: async () => '0x',
};

let node: Anvil;
beforeAll(async () => {
  node = await startAnvil('--hardfork', 'osaka');
}, patience);
afterAll(() => node.close());

async function both(code: Hex, data: Hex): Promise<[string, string]> {
  await node.call('anvil_setCode', target, code);
  const environment = {
    chainId: 31337,
    fork: 'osaka',
    number: 1,
    proven: {},
    assumed: {},
  } as const;
  const overrides = new Map([[target, { code: fromHex(code) }]]);
  const session = await openSession({ source, environment, overrides });
  const call = { from: sender, to: target, data: fromHex(data), value: 0n, gas: 15_000_000n };
  const priced = { ...call, gasPrice: 0n, maxGasPrice: 0n, accessList: [] };
  const request = { from: sender, to: target, data, gas: '0xe4e1c0' };
  return [
    toHex((await session.execute(priced)).output),
    await node.call('eth_call', request, 'latest'),
  ];
}

const places = ['0x00', '0x05', '0x1f', '0x40', '0x0100', `0x${'ff'.repeat(32)}`];
test.each(['CALLDATACOPY', 'CODECOPY', 'EXTCODECOPY'])(
  '%s',
  async (copy) => {
    const before = copy === 'EXTCODECOPY' ? 'ADDRESS' : '';
    for (const from of places) {
      for (const length of ['0x00', '0x01', '0x21', '0xff']) {
        // Over memory that is not zero.
        const code = assemble(`
        PUSH0 NOT DUP1 PUSH0 MSTORE 0x20 MSTORE
        ${length} ${from} 0x07 ${before} ${copy} GAS 0x0200 MSTORE 0x0220 PUSH0 RETURN`);
        const [ours, theirs] = await both(code, `0x${'5a'.repeat(70)}`);
        expect(ours, `${copy} ${from} ${length}`).toBe(theirs);
      }
    }
  },
  patience,
);

test.each([65_535, 65_536, 65_537, 131_072, 300_001])(
  'KECCAK256 of %i bytes',
  async (length) => {
    const code = assemble(`
    PUSH0 NOT 0x012345 MSTORE 0x2a 0x20 MSTORE
    PUSH0 CALLDATALOAD 0x03 KECCAK256 PUSH0 MSTORE GAS 0x20 MSTORE MSIZE 0x40 MSTORE 0x60 PUSH0 RETURN`);
    const [ours, theirs] = await both(code, `0x${word(length)}`);
    expect(ours).toBe(theirs);
  },
  patience,
);

test('thousands of opcodes without a jump give turns to the event loop', async () => {
  const body = assemble('0x100000 PUSH0 PUSH0 CODECOPY'.replaceAll('PUSH0', '0x00')).slice(2);
  const environment = { chainId: 1, fork: 'osaka', number: 1, proven: {}, assumed: {} } as const;
  const overrides = new Map([[target, { code: fromHex(`0x${body.repeat(400)}00`) }]]);
  const controller = new AbortController();
  const session = await openSession({ source, environment, overrides, signal: controller.signal });
  const call = { from: sender, to: target, data: new Uint8Array(0), value: 0n, gas: 50_000_000n };
  setTimeout(() => controller.abort(new Error('enough')), 1);
  const running = session.execute({ ...call, gasPrice: 0n, maxGasPrice: 0n, accessList: [] });
  await expect(running).rejects.toThrow('enough');
});
