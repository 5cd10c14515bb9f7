/** A beacon chain that is made up, and finalizes a block of a real L1 node, by the clock of this machine. */
import type { Hex } from '../../../src/bytes.js';
import type { Anvil } from '../anvil.js';
import { makeChain } from './chain.js';
import { networkFrom } from './networks.js';
import { type ServeOptions, serveBeacon } from './server.js';

/** The slot in which it begins; a period has 64, and a minute two. */
const head = 60;

/**
 * @param instead sees each request first, as in `serveBeacon`
 * @returns the server, its network as the file of a network has it, a checkpoint, and the slot of the final block
 */
export async function beaconOver(l1: Pick<Anvil, 'call'>, instead?: ServeOptions['instead']) {
  const { hash } = await l1.call('eth_getBlockByNumber', 'finalized', false);
  const network = {
    ...networkFrom('fulu', ['gloas', 4]),
    genesisTime: Math.floor(Date.now() / 1000) - 30 * head,
    secondsPerSlot: 30,
  };
  const chain = makeChain(network, { hashAt: () => hash as Hex });
  const server = await serveBeacon(chain, { head: () => head, ...(instead && { instead }) });
  return { ...server, network, checkpoint: chain.root(8), slot: 40 };
}
