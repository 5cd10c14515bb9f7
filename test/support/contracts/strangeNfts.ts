/** ERC-721 contracts that answer strangely. Each says of any id that it is the wallet's; its token 7 came to it by an event. */
import type { Hex } from '../../../src/bytes.js';
import { topics } from '../../../src/indexer/logs/events.js';
import type { Anvil } from '../anvil.js';
import { initOf } from './assemble.js';
import { deployAnywhere } from './contract.js';
import { longText, text, token, word } from './hostile.js';

/** Code behind `tokenURI`, and `ownerOf` if that is strange. */
const strange = {
  honest: { tokenURI: text('https://a.example/7') },
  /** 1 MB, which takes more gas than such a call has; and 8 kB, which it can pay. */
  long: { tokenURI: longText('100000') },
  longer: { tokenURI: longText('002000') },
  /** A URL, and then 8 kB of nothing. */
  padded: { tokenURI: text('https://padded.example/').replace('0x60 PUSH0', '0x2000 PUSH0') },
  reverts: { tokenURI: 'PUSH0 PUSH0 REVERT' },
  burnsGas: { tokenURI: 'again: @again JUMP' },
  timedUrl: { tokenURI: `TIMESTAMP POP ${text('https://timed.example/')}` },
  /** As a bytes32. */
  word: {
    tokenURI: word(`0x${Buffer.from('https://word.example/').toString('hex').padEnd(64, '0')}`),
  },
  notUtf8: { tokenURI: text('https://b.example/@').replace('2f40', '2fff') },
  timedOwner: { tokenURI: text('https://c.example/'), timed: 'TIMESTAMP POP' },
} as const satisfies Record<string, { tokenURI: string; timed?: string }>;

export type StrangeNft = keyof typeof strange;

/** Deploys one of each. */
export async function deployStrange(
  node: Anvil,
  wallet: Hex,
): Promise<Readonly<Record<StrangeNft, Hex>>> {
  const deployed: [string, Hex][] = [];
  for (const [name, { tokenURI, ...more }] of Object.entries(strange)) {
    const timed = 'timed' in more ? more.timed : '';
    const code = token({
      ...{ tokenURI, balanceOf: word('0x01') },
      ownerOf: `${timed} ${word(wallet)}`,
    });
    const arrive = `0x07 ${wallet} PUSH0 ${topics.transfer} PUSH0 PUSH0 LOG4`;
    const { address } = await deployAnywhere(node, { abi: [], bytecode: initOf(code, arrive) });
    deployed.push([name, address]);
  }
  return Object.fromEntries(deployed) as Record<StrangeNft, Hex>;
}
