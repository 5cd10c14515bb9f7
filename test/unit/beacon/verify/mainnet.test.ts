/** Real data of mainnet: 512 keys, five periods. */
import { describe, expect, test } from 'vitest';
import { applyUpdate, beaconNetworks, verifyBootstrap } from '../../../../src/beacon/index.js';
import {
  hasMainnet,
  mainnetBlock,
  mainnetBootstrap,
  mainnetCheckpoint,
  mainnetFinality,
  mainnetUpdates,
} from '../../../support/beacon/mainnet.js';
import { BeaconBlockHeader } from '../../../support/beacon/ssz.js';
import { toHex } from '../../../support/hex.js';

const network = beaconNetworks.mainnet;
const currentSlot = 7_109_432;

describe.skipIf(!hasMainnet)('from a checkpoint of August 2023', () => {
  test('its root is that of the header, by another library', () => {
    const { data: bootstrap } = mainnetBootstrap();
    const header = BeaconBlockHeader.fromJson(bootstrap.header.beacon);
    expect(toHex(BeaconBlockHeader.hashTreeRoot(header))).toBe(mainnetCheckpoint);
  });

  test('five periods lead to a final block', async () => {
    const { data: bootstrap } = mainnetBootstrap();
    let store = verifyBootstrap(bootstrap, { checkpoint: mainnetCheckpoint, network });
    expect(store.finalized.beacon.slot).toBe(7_069_376);
    for (const { data } of [...mainnetUpdates(), mainnetFinality()]) {
      store = await applyUpdate(store, data, { network, currentSlot });
      // The first one brings the next committee alone: it is older than the checkpoint.
      const slot = Math.max(7_069_376, Number(data.finalized_header.beacon.slot));
      expect(store.finalized.beacon.slot).toBe(slot);
    }
    expect(store.finalized.beacon.slot).toBe(7_109_344);
    // The block itself, from another source.
    const { body } = mainnetBlock(7_109_344).data.message;
    expect(store.finalized.executionBlockHash).toBe(body.execution_payload.block_hash);
    expect(store.finalized.signers).toBe(512);
  });
});
