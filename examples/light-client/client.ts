/** An account of L2, from something that the reader trusts of L1. No server is believed. */
import type { Hex } from 'l2proof';
import { fetchState } from 'l2proof/anchor';
import { createLightClient } from 'l2proof/consensus';
import { createTransport } from 'l2proof/rpc';
import { beacon, network } from './network';

const { VITE_L1_URL, VITE_L2_URL, VITE_BEACON_URLS } = import.meta.env;

/** Where L1's consensus can be asked, a checkpoint is trusted. On a devnet, which has none, the hash of a block of L1 is. */
export const trusts = VITE_BEACON_URLS ? 'checkpoint' : 'hash of a block of L1';

/** Follows the signatures of L1's validators from a checkpoint on, and keeps in the browser how far it has come. */
const followL1 = (checkpoint: Hex) =>
  createLightClient({
    api: VITE_BEACON_URLS.split(','),
    network: beacon,
    checkpoint,
    storage: {
      get: () => localStorage.getItem('l1'),
      set: (text) => localStorage.setItem('l1', text),
    },
  });

/** @throws ConsensusError, AnchorError, RpcError or ProofError if something does not hold, or nobody answers */
export async function accountOf(address: Hex, trusted: Hex) {
  const { anchor, state } = await fetchState({
    address,
    l1: createTransport({ url: VITE_L1_URL }),
    l2: createTransport({ url: VITE_L2_URL }),
    network,
    trusted: VITE_BEACON_URLS ? followL1(trusted) : { blockHash: trusted },
  });
  return { account: state.account, anchor };
}
