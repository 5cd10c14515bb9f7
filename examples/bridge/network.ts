import { defineNetwork } from 'l2proof/anchor';

/** The rollup of `l2proof devnet`. For the public one: `import { networks } from 'l2proof/anchor'`, and `networks.mainnet`. */
export const network = defineNetwork({
  name: 'devnet',
  l1ChainId: 1337,
  l2ChainId: 31337,
  rollup: '0x1000000000000000000000000000000000000001',
  messageService: '0x1000000000000000000000000000000000000003',
  forks: { prague: 0 },
});
