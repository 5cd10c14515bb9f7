/** A beacon chain that is made up, in the network of mainnet and by the clock of this machine: committees of 512 keys. */
import { beaconNetworks } from '../../../src/beacon/index.js';
import type { Hex } from '../../../src/bytes.js';
import { startHttp } from '../http.js';
import { finalityOf, makeChain } from './chain.js';

const network = beaconNetworks.mainnet;
const perPeriod = network.slotsPerEpoch * network.epochsPerPeriod;

/**
 * Serves it.
 *
 * @param blockHash of the execution block that it finalizes
 * @returns its URL, a checkpoint in the period before this one, and the slot of the final block
 */
export async function serveLikeMainnet(blockHash: Hex) {
  const chain = makeChain(network, { hashAt: () => blockHash });
  const now = Math.floor((Date.now() / 1000 - network.genesisTime) / network.secondsPerSlot);
  const final = now - 64;
  // In the middle of the period before: the updates of both lie in their own.
  const checkpoint = Math.floor(now / perPeriod) * perPeriod - perPeriod / 2;
  const updates = [
    chain.update({ attested: checkpoint + 64, finalized: checkpoint + 8 }),
    chain.update({ attested: now - 1, finalized: final }),
  ];
  const { url, close } = await startHttp((request, response) => {
    const [, route] = /light_client\/(\w+)/.exec(request.url ?? '') ?? [];
    const data = route === 'bootstrap' ? chain.bootstrap(checkpoint) : finalityOf(updates[1]);
    const answer = route === 'updates' ? updates.map((each) => ({ data: each })) : { data };
    response.setHeader('access-control-allow-origin', '*');
    response.end(JSON.stringify(answer));
  });
  return { url, close, checkpoint: chain.root(checkpoint), final };
}
