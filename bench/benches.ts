/** What `npm run bench -- NAME` runs: `NAME.ts` beside this file. */

export interface Bench {
  /** What it times, in a line. */
  readonly about: string;
  /** It runs on the sources alone. */
  readonly needsNoBuild?: true;
  readonly env?: Readonly<Record<string, string>>;
}

export const benches: Readonly<Record<string, Bench>> = {
  verify: { about: 'verifyProof beside a native program, BigInt and itself: RESULTS.md' },
  lanes: { about: 'this build beside the last one that hashed one by one: LANES.md' },
  against: { about: 'this build beside that of another commit, in a folder: npm run compare' },
  pool: { about: 'two workers beside one thread' },
  lines: { about: 'l2proof verify --ndjson with two threads beside one' },
  compact: { about: 'compact proofs beside JSON: COMPACT.md' },
  peers: { about: 'verifyProof beside the on-chain verifier in an EVM: peers/RESULTS.md' },
  tree: { about: 'trees in memory: TREE.md' },
  store: { about: 'states in LMDB beside memory: STORE.md' },
  bulk: { about: 'loading a state in bulk: BULK.md' },
  scale: { about: 'from a thousand leaves to ten million: SCALE.md' },
  blocks: { about: 'blocks on disk: BLOCKS.md' },
  past: { about: 'proofs at older blocks' },
  postgres: { about: 'a state in PostgreSQL beside a bare SELECT and LMDB' },
  follow: { about: 'a follower beside fetching alone: BLOCKS.md; and what comparing costs it' },
  call: { about: 'calls on proven state: CALL.md', needsNoBuild: true },
  history: { about: 'logs of thousands of blocks, proven: HISTORY.md', needsNoBuild: true },
  consensus: { about: 'updates of L1 beside bare operations on keys', needsNoBuild: true },
  gas: { about: 'processor time of gas: GAS.md', needsNoBuild: true },
  decode: { about: 'a receipt beside viem and ethers: DECODE.md', needsNoBuild: true },
  decoder: { about: 'the decoder under load: DECODER.md' },
  service: { about: 'answers of the service beside a bare echo: SERVICE.md' },
  fair: {
    about: 'a light client beside a crowd, route by route: SERVICE.md',
    // As the files of deploy/ have it.
    env: { NODE_OPTIONS: '--max-semi-space-size=64' },
  },
  hostile: { about: 'a light client beside hostile ones: SERVICE.md' },
  index: { about: 'an index of transactions: DATA.md' },
  layers: { about: 'answers without one of the layers that exist for speed: LAYERS.md' },
  balances: { about: 'balances under load: DATA.md' },
  provenPages: {
    about: 'pages with their proofs beside those without: DATA.md',
    needsNoBuild: true,
  },
  page: { about: 'the view of an address in the explorer, in Chromium: PAGE.md' },
  pictures: {
    about: 'measures nothing: draws the pictures from the tables of the pages',
    needsNoBuild: true,
  },
  pages: { about: 'pages of a wallet from the index: DATA.md' },
  routes: { about: 'remembered answers of each group of the data interface: DATA.md' },
  holders: { about: 'a million holders ranked, and a page of them beside balances: DATA.md' },
};
