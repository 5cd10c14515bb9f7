/** Following and serving need no package for RLP: only proofs of L1 are read with it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { genesisLines } from '../../../src/follow/index.js';
import { accounts, rollupCode, startAnvil, word } from '../../support/anvil.js';
import { genesisAddresses, genesisOf } from '../../support/chain.js';
import { patience } from '../../support/runs.js';

const rollup = '0x00000000000000000000000000000000000a0111';

test(
  'a node is followed and its state served in a process without the package',
  async () => {
    const node = await startAnvil('--hardfork', 'prague');
    try {
      const lines = [...genesisLines(await genesisOf(node, genesisAddresses))];
      await node.mine({ to: accounts[1], value: 1n });
      // L1 and L2 at once; no root but that of block 0 is asked for, and there is none.
      await node.call('anvil_setCode', rollup, rollupCode);
      await node.call('anvil_setStorageAt', rollup, `0x${word(281)}`, `0x${word(0)}`);
      const args = ['--import', 'tsx', '--import', './test/support/refuseRlp.mjs'];
      const { stdout } = await promisify(execFile)(process.execPath, [
        ...args,
        'test/support/withoutRlp.ts',
        node.url,
        rollup,
        JSON.stringify(lines),
      ]);
      const { isMissing, block, result, refusal } = JSON.parse(stdout);
      expect({ isMissing, block }).toEqual({ isMissing: true, block: 0 });
      expect(result).toHaveProperty('accountProof.leftProof');
      // Headers of a node are read with it.
      expect(refusal).toMatch(
        /^the node of the service needs @ethereumjs\/rlp; run: npm install @ethereumjs\/rlp@/,
      );
    } finally {
      await node.close();
    }
  },
  patience,
);
