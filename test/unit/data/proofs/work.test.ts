/** Calls that a service has proven, made again on what came. */
import { afterEach, expect, test } from 'vitest';
import { encodeHex, type Hex } from '../../../../src/bytes.js';
import { openWork } from '../../../../src/data/proofs/work.js';
import { createNodeClient, toAskNode } from '../../../../src/rpc/nodeClient.js';
import { createStateAmounts } from '../../../../src/service/proving/ownState.js';
import type { PageProofs } from '../../../../src/service/proving/prover.js';
import { openStateTree, type StateTree } from '../../../../src/tree/index.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const pause = async () => {};
const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const caller: Hex = `0x${'cc'.repeat(20)}`;
const callee: Hex = `0x${'dd'.repeat(20)}`;
/** PUSH1 7 PUSH0 MSTORE PUSH1 20 PUSH0 RETURN */
const seven: Hex = '0x60075f5260205ff3';
/** Calls that contract for a word: PUSH1 20 PUSH0 PUSH0 PUSH0 PUSH20 callee GAS STATICCALL POP RETURNDATASIZE */
const asking = `60205f5f5f73${callee.slice(2)}5afa503d`;

/** Codes that go another way as long as the contract that they call is not known: then they read a slot that they do not need. */
const codes: Record<string, Hex> = {
  // If nothing came back, SLOAD(NUMBER).
  'of the number of the block': `0x${asking}60255743545f525b60205ff3`,
  // If nothing came back, SLOAD(SLOAD(0)).
  'that another slot names': `0x${asking}6026575f54545f525b60205ff3`,
  // If nothing came back, SLOAD(BLOCKHASH(NUMBER - 1)).
  'of the hash of a block': `0x${asking}6029576001430340545f525b60205ff3`,
};

const history: Hex = '0x0000f90827f1c53a10cb7a02335b175320002935';

/** Blocks 5 to 7 of a state in which the caller has this code, and a service's amounts on it. */
async function serve(code: Hex) {
  const tree = await openStateTree({ keepFinal: 8 });
  closing.push(() => tree.close());
  const account = { nonce: 1n, balance: 5n };
  const storage = [{ key: word(0), value: word(5) }];
  const changes = [
    { address: caller, account: { ...account, code }, storage },
    { address: callee, account: { ...account, code: seven } },
    {
      address: history,
      account: { ...account, code: '0x00' },
      storage: [{ key: word(5), value: word(9) }],
    },
  ] as Parameters<StateTree['applyBlock']>[0]['changes'];
  for (const number of [5, 6, 7]) {
    const own = number === 5 ? changes : [];
    await tree.applyBlock({ number, hash: word(number), changes: own });
    await tree.finalize(number);
  }
  const start = () =>
    createStateAmounts({
      state: { tree, finality: async () => 7, fork: 'prague' },
      chainId: 59144,
      node: {
        codeAt: async (address) => (address === caller ? code : seven),
        client: createNodeClient(toAskNode(async () => null)),
      },
      other: { balanceAt: async () => 0n, call: async () => [] },
    });
  return { tree, start };
}

/** What a client works with that was given these proofs. */
function receive(proofs: PageProofs, { hash }: StateTree) {
  const { block: l2BlockNumber, stateRoot } = proofs;
  const anchor = { l2ChainId: 59144, l2BlockNumber, stateRoot, hash, kind: 'tree' };
  const rules = { fork: 'prague', isAssumed: false, proven: undefined, claimed: undefined };
  const ground = { anchor, signal: undefined, findRules: () => rules };
  const given = { proofs: JSON.parse(JSON.stringify(proofs)), history: undefined };
  return openWork(given, ground as never);
}

test.each(Object.entries(codes))(
  'a call that reads a slot %s while it does not know all, is proven at each block, whatever was kept of it',
  async (_, code) => {
    const { tree, start } = await serve(code);
    const kept = start();
    const call = { to: caller, data: '0x01' } as const;
    for (const block of [5, 6, 7, 6]) {
      const [prover, anew] = [kept.prover(block, 'tree'), start().prover(block, 'tree')];
      for (const one of [prover, anew]) {
        const [answer] = await one.call([call], block, pause);
        expect(encodeHex(answer as Uint8Array)).toBe(word(7));
        expect(one.cite([call])).toContain(callee);
      }
      const proofs = await prover.prove(pause);
      expect(proofs).toEqual(await anew.prove(pause));
      const work = await receive(proofs, tree);
      expect(encodeHex((await work.ask(call)) as Uint8Array)).toBe(word(7));
    }
  },
);

test('what depends on the hash of a block is not proven, though all that it reads came', async () => {
  // With data, BLOCKHASH(NUMBER - 1); without, 7.
  const { tree, start } = await serve('0x36600c5760075f5260205ff35b60014303405f5260205ff3');
  const prover = start().prover(6, 'tree');
  const [plain, hash] = [
    { to: caller, data: '0x' },
    { to: caller, data: '0x01' },
  ] as const;
  const [seen, ofBlock] = await prover.call([plain, hash], 6, pause);
  expect([seen, ofBlock].map((one) => encodeHex(one as Uint8Array))).toEqual([word(7), word(9)]);
  expect(prover.cite([plain])).toEqual([caller]);
  expect(prover.cite([hash])).toBeUndefined();
  expect(prover.citeSlots(history, [word(5)])).toEqual([history]);
  const work = await receive(await prover.prove(pause), tree);
  expect(encodeHex((await work.ask(plain)) as Uint8Array)).toBe(word(7));
  await expect(work.ask(hash)).rejects.toMatchObject({
    code: 'NOT_VERIFIED',
    message: expect.stringContaining('depends on unproven values: blockHash'),
  });
});
