/** Cases of light clients as the executable specification writes them: a folder each. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type BeaconFork,
  type BeaconNetwork,
  defineBeaconNetwork,
} from '../../../src/beacon/index.js';
import type { Hex } from '../../../src/bytes.js';
import { decodeSnappy } from './snappy.js';
import { type ApiObject, readSsz } from './ssz.js';
import { parseYaml, type Yaml } from './yaml.js';

/** Units of a preset, which no file has. */
const presets: Record<
  string,
  Pick<BeaconNetwork, 'slotsPerEpoch' | 'epochsPerPeriod' | 'committeeSize'>
> = {
  minimal: { slotsPerEpoch: 8, epochsPerPeriod: 8, committeeSize: 32 },
  mainnet: { slotsPerEpoch: 32, epochsPerPeriod: 256, committeeSize: 512 },
};

export const forkNames: readonly BeaconFork[] = [
  ...(['altair', 'bellatrix', 'capella', 'deneb'] as const),
  ...(['electra', 'fulu', 'gloas'] as const),
];

type Table = Record<string, string>;

function networkOf(config: Table, genesisRoot: string): BeaconNetwork {
  const preset = presets[config.PRESET_BASE as string];
  if (preset === undefined) throw new Error(`preset ${config.PRESET_BASE} is not known`);
  const forks = forkNames.flatMap((fork) => {
    const epoch = Number(config[`${fork.toUpperCase()}_FORK_EPOCH`] ?? 'NaN');
    const version = config[`${fork.toUpperCase()}_FORK_VERSION`] as Hex;
    // A fork that is not planned has the greatest number that there is.
    return epoch < 2 ** 32 ? [[fork, { version, epoch }] as const] : [];
  });
  return defineBeaconNetwork({
    name: config.PRESET_BASE as string,
    genesisTime: Number(config.MIN_GENESIS_TIME) + Number(config.GENESIS_DELAY),
    genesisValidatorsRoot: genesisRoot as Hex,
    forks: Object.fromEntries(forks),
    secondsPerSlot:
      Number(config.SLOT_DURATION_MS ?? 1000 * Number(config.SECONDS_PER_SLOT)) / 1000,
    ...preset,
  });
}

export interface Case {
  readonly network: BeaconNetwork;
  readonly forkAt: (slot: number) => BeaconFork;
  readonly checkpoint: Hex;
  readonly bootstrap: ApiObject;
  readonly steps: readonly Record<string, Yaml>[];
  /** The update of a name. */
  readonly update: (name: string) => ApiObject;
}

/** Reads a case. */
export function readCase(folder: string): Case {
  const yaml = (name: string) => parseYaml(readFileSync(join(folder, `${name}.yaml`), 'utf8'));
  const meta = yaml('meta') as Table;
  const network = networkOf(yaml('config') as Table, meta.genesis_validators_root as string);
  const forkAt = (slot: number) => {
    const epoch = Math.floor(slot / network.slotsPerEpoch);
    const begun = forkNames.filter((fork) => (network.forks[fork]?.epoch ?? Infinity) <= epoch);
    return begun.at(-1) as BeaconFork;
  };
  const read = (kind: 'bootstrap' | 'update', name: string) =>
    readSsz(kind, decodeSnappy(readFileSync(join(folder, `${name}.ssz_snappy`))), {
      size: network.committeeSize,
      forkAt,
    });
  return {
    network,
    forkAt,
    checkpoint: meta.trusted_block_root as Hex,
    bootstrap: read('bootstrap', 'bootstrap'),
    steps: yaml('steps') as Record<string, Yaml>[],
    update: (name) => read('update', name),
  };
}
