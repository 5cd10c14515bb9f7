/** Real answers of a beacon node of mainnet, 512 keys: data of others, which are no part of the repository. */
import { existsSync, readFileSync } from 'node:fs';
import type { ApiObject } from './ssz.js';

export const hasMainnet: boolean = existsSync('../shared/consensus/mainnet-capella');

const read = (name: string): ApiObject =>
  JSON.parse(readFileSync(`../shared/consensus/mainnet-capella/${name}.json`, 'utf8'));

/** Root of the block of slot 7,069,376. */
export const mainnetCheckpoint =
  '0x5afc212a7924789b2bc86acad3ab3a6ffb1f6e97253ea50bee7f4f51422c9275' as const;

export const mainnetBootstrap = (): ApiObject => read('bootstrap');
/** Of six consecutive periods, the first of them that of the bootstrap. */
export const mainnetUpdates = (): ApiObject[] => read('updates');
export const mainnetFinality = (): ApiObject => read('finality');

/** A beacon block, as a node answers it. */
export const mainnetBlock = (slot: 7109344 | 7109430): ApiObject =>
  JSON.parse(readFileSync(`../shared/blocks/beacon/${slot}.json`, 'utf8'));
