/** A case like those of the executable specification, made of a chain of our own. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BeaconFork } from '../../../src/beacon/index.js';
import { toHex } from '../hex.js';
import { forkNames } from './cases.js';
import type { Chain, UpdateOptions } from './chain.js';
import { payloadHeaders, writeSsz } from './ssz.js';

/** A step, and the slot that is final after it. */
export type MadeStep =
  | { readonly update: UpdateOptions; readonly final: number }
  | { readonly forced: number; readonly final: number }
  | { readonly upgrade: BeaconFork; readonly final: number };

/** Bytes as one Snappy block of literals alone, of 64 KiB at most each. */
function encodeSnappy(bytes: Uint8Array): Uint8Array {
  const out: number[] = [];
  let { length } = bytes;
  for (; length > 127; length = Math.floor(length / 128)) out.push((length % 128) + 128);
  out.push(length);
  for (let at = 0; at < bytes.length; at += 65_536) {
    const piece = bytes.subarray(at, at + 65_536);
    const last = piece.length - 1;
    out.push(61 << 2, last & 255, last >> 8, ...piece);
  }
  return Uint8Array.from(out);
}

/** Writes the case into a new folder. @param preset whose units the chain's network has */
export function writeCase(
  folder: string,
  chain: Chain,
  { preset, checkpoint, steps }: { preset: string; checkpoint: number; steps: MadeStep[] },
): void {
  const { network } = chain;
  const forkAt = (slot: number): BeaconFork => chain.blockAt(slot).fork;
  const reading = { size: network.committeeSize, forkAt };
  mkdirSync(folder, { recursive: true });
  const write = (name: string, lines: readonly string[]) =>
    writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
  const writeObject = (name: string, bytes: Uint8Array) =>
    writeFileSync(join(folder, `${name}.ssz_snappy`), encodeSnappy(bytes));

  const rootOf = (slot: number): string => {
    const { fork, blockHash, payload } = chain.blockAt(slot);
    if (fork === 'gloas') return blockHash;
    const type = fork === 'capella' ? payloadHeaders.capella : payloadHeaders.deneb;
    return toHex(type.hashTreeRoot(type.fromJson(payload) as never));
  };
  const checks = (slot: number) => [
    '    checks:',
    '      finalized_header:',
    `        slot: ${slot}`,
    `        beacon_root: '${chain.root(slot)}'`,
    `        execution_root: '${rootOf(slot)}'`,
  ];
  const stepLines = (step: MadeStep, i: number): string[] => {
    if ('forced' in step) return ['- force_update:', `    current_slot: ${step.forced}`];
    if ('upgrade' in step) {
      const { version } = network.forks[step.upgrade] ?? {};
      return ['- upgrade_store:', `    store_fork_version: '${version}'`];
    }
    const name = `update_${i}`;
    const { attested, signed = attested + 1 } = step.update;
    writeObject(name, writeSsz('update', chain.update(step.update), reading));
    return [
      ...['- process_update:', `    update_fork_digest: '0x00000000'`],
      ...[`    update: ${name}`, `    current_slot: ${signed}`],
    ];
  };
  write('config.yaml', [
    `PRESET_BASE: '${preset}'`,
    `MIN_GENESIS_TIME: ${network.genesisTime}`,
    'GENESIS_DELAY: 0',
    `SECONDS_PER_SLOT: ${network.secondsPerSlot}`,
    ...forkNames.flatMap((fork) => {
      const name = fork.toUpperCase();
      const { version = '0x00000000', epoch = '18446744073709551615' } = network.forks[fork] ?? {};
      return [`${name}_FORK_VERSION: ${version}`, `${name}_FORK_EPOCH: ${epoch}`];
    }),
  ]);
  write('meta.yaml', [
    `genesis_validators_root: '${network.genesisValidatorsRoot}'`,
    `trusted_block_root: '${chain.root(checkpoint)}'`,
  ]);
  writeObject('bootstrap', writeSsz('bootstrap', chain.bootstrap(checkpoint), reading));
  write(
    'steps.yaml',
    steps.flatMap((step, i) => [...stepLines(step, i), ...checks(step.final)]),
  );
}
