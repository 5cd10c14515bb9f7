/** Who may import whom: data flows one way, and a user of the verifier never loads what stands around it. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { sources as files, type Import, importsOf } from '../support/imports.js';

/** What every folder may import; these import nothing but each other. */
const ground = [
  ...['errors', 'bytes', 'peer', 'steps', 'deadline', 'turns', 'visible'],
  ...['loopback', 'lru', 'poll', 'forks', 'concurrent', 'sharedWork'],
];

/** Folder of `src`, or file at its top -> what else of `src` it may import. Some are still to be built. */
const allowed: Record<string, readonly string[]> = {
  errors: [],
  bytes: [],
  peer: ['errors'],
  steps: ['turns'],
  deadline: [],
  turns: ['concurrent'],
  visible: [],
  loopback: [],
  lru: [],
  poll: [],
  sharedWork: ['deadline'],
  forks: [],
  concurrent: [],
  foreign: [],
  abi: ['foreign'],
  hash: [],
  codec: ['foreign', 'hash'],
  proof: ['foreign', 'codec', 'hash'],
  verify: ['foreign', 'codec', 'proof', 'hash'],
  slots: [],
  index: ['codec', 'proof', 'slots', 'verify', 'hash'],
  compact: ['foreign', 'abi', 'codec', 'proof', 'verify', 'hash'],
  explain: ['foreign', 'codec', 'proof', 'verify', 'compact', 'hash'],
  trace: ['foreign', 'codec', 'proof', 'verify', 'hash'],
  tree: ['codec', 'proof', 'verify', 'hash'],
  disk: ['tree'],
  lmdb: ['foreign', 'tree', 'disk'],
  postgres: ['foreign', 'tree', 'disk', 'rpc'],
  pool: ['index', 'foreign'],
  rpc: ['foreign'],
  mpt: ['foreign'],
  beacon: ['rpc', 'foreign'],
  proven: ['rpc', 'foreign', 'mpt', 'hash', 'verify', 'compact'],
  anchor: ['rpc', 'foreign', 'abi', 'mpt', 'hash', 'codec', 'verify', 'proven'],
  history: ['foreign', 'rpc', 'mpt', 'anchor', 'verify', 'proven'],
  messages: ['foreign', 'abi', 'rpc', 'slots', 'anchor', 'history'],
  evm: ['foreign', 'codec', 'verify'],
  provider: ['foreign', 'verify', 'proven', 'rpc', 'anchor', 'history', 'evm'],
  viem: ['foreign', 'codec', 'verify', 'compact', 'rpc', 'anchor', 'history', 'evm', 'provider'],
  follow: ['foreign', 'tree', 'rpc', 'anchor', 'mpt'],
  decode: ['foreign'],
  indexer: ['foreign', 'abi', 'tree', 'rpc', 'mpt', 'follow', 'decode'],
  data: [
    ...['foreign', 'abi', 'verify', 'compact', 'rpc', 'proven', 'anchor', 'history', 'evm'],
    ...['decode', 'indexer'],
  ],
  service: [
    'foreign',
    'abi',
    'tree',
    'verify',
    'compact',
    'rpc',
    'proven',
    'anchor',
    'history',
    'decode',
    'indexer',
    'evm',
    'mpt',
  ],
  // The command is a user of the package: of every folder it imports the public entry only. Of evm, which is none, it has
  // the codes of errors, each of which has an exit code.
  cli: [
    'index',
    'compact',
    'explain',
    'trace',
    'tree',
    'lmdb',
    'postgres',
    'pool',
    'rpc',
    'beacon',
    'anchor',
    'evm',
    'history',
    'messages',
    'provider',
    'follow',
    'decode',
    'data',
    'service',
  ],
  // So is the page.
  page: [
    ...['index', 'compact', 'explain', 'rpc', 'beacon', 'anchor'],
    ...['history', 'messages', 'provider', 'data', 'decode'],
  ],
};

/** Users of the package: of another folder they import the public entry only. */
const users = ['cli', 'page'];

/**
 * Folder with rooms -> each room, from the ground up -> the rooms below it that it imports. Files of the folder itself
 * stand above its rooms.
 */
const rooms: Record<string, Record<string, readonly string[]>> = {
  anchor: { common: [] },
  beacon: {
    verify: [],
    client: ['verify'],
  },
  cli: {
    exit: [],
    print: [],
    cache: [],
    listen: ['exit'],
    input: ['exit', 'print'],
    flags: ['exit', 'print', 'cache', 'input'],
    'flags/serve': ['exit', 'print', 'input', 'flags'],
    help: ['exit', 'flags', 'flags/serve'],
    ndjson: ['exit', 'print', 'input'],
    store: ['exit', 'print', 'flags', 'flags/serve', 'input'],
    devnet: ['exit', 'print'],
    bridge: ['exit', 'print', 'flags', 'input'],
    explain: ['exit', 'print', 'flags', 'input'],
    history: ['print', 'flags'],
    commands: [
      ...['exit', 'listen', 'print', 'flags', 'help', 'input'],
      ...['ndjson', 'store', 'devnet', 'history', 'flags/serve'],
    ],
    'commands/data': ['exit', 'print', 'flags', 'flags/serve', 'history'],
  },
  data: {
    wire: [],
    items: ['wire'],
    proofs: ['wire', 'items'],
    'proofs/held': ['wire', 'items', 'proofs'],
    'proofs/mined': ['wire', 'items', 'proofs'],
    routes: ['wire', 'items', 'proofs/held', 'proofs/mined'],
  },
  decode: {
    definition: [],
    receipt: [],
    abi: ['receipt'],
    events: ['definition', 'receipt'],
    registry: ['definition', 'receipt', 'abi', 'events'],
    context: ['definition', 'receipt', 'abi', 'registry'],
    format: ['definition', 'receipt', 'abi', 'registry', 'context'],
  },
  evm: {
    call: [],
    state: ['call'],
    precompiles: ['call', 'state'],
    engine: ['call', 'state', 'precompiles'],
  },
  follow: {
    node: [],
    genesis: ['node'],
    loop: ['node'],
    load: ['node', 'genesis'],
    stateDiff: ['node', 'loop'],
  },
  history: {
    verify: [],
    client: ['verify'],
  },
  indexer: {
    layout: [],
    logs: ['layout'],
    receipts: ['layout', 'logs'],
    sealed: ['layout'],
    segments: ['layout', 'sealed'],
    lists: ['layout', 'sealed', 'segments'],
    holdings: ['layout', 'sealed', 'segments', 'lists'],
    blocks: ['layout', 'sealed', 'segments', 'holdings'],
    check: ['layout', 'sealed', 'segments', 'lists', 'holdings', 'blocks'],
  },
  page: {
    format: [],
    settings: [],
    prover: ['format', 'settings'],
    worker: ['settings', 'prover'],
    figure: ['format', 'worker'],
    anatomy: ['format', 'prover', 'figure'],
    trust: ['format', 'settings', 'worker', 'figure'],
    'views/address': ['format', 'worker', 'figure'],
    views: ['format', 'worker', 'figure', 'views/address'],
  },
  provider: {
    params: [],
    state: ['params'],
    methods: ['params', 'state'],
  },
  service: {
    http: [],
    chain: ['http'],
    limits: ['http'],
    watch: ['http'],
    jsonrpc: ['http', 'limits', 'watch'],
    page: ['http'],
    blocks: ['http', 'limits', 'jsonrpc'],
    proofs: ['http', 'limits', 'jsonrpc'],
    rest: ['http', 'chain', 'limits', 'watch', 'jsonrpc', 'proofs'],
    decoder: ['http', 'chain', 'jsonrpc'],
    ledger: ['http', 'chain', 'jsonrpc'],
    documents: ['http', 'limits'],
    proving: ['http', 'chain', 'jsonrpc', 'proofs'],
    data: ['http', 'chain', 'jsonrpc', 'decoder', 'proofs', 'proving', 'ledger', 'documents'],
    nfts: ['http', 'chain', 'jsonrpc', 'proving', 'data', 'documents'],
    prices: ['chain', 'ledger'],
    'routes/common': ['http', 'rest', 'jsonrpc', 'proving', 'data', 'ledger'],
    'routes/items': [
      ...['http', 'chain', 'rest', 'jsonrpc', 'data', 'ledger', 'documents', 'routes/common'],
    ],
    'routes/blockchain': [
      ...['http', 'chain', 'rest', 'jsonrpc', 'data', 'ledger', 'routes/common', 'routes/items'],
    ],
    'routes/transactions': [...['http', 'rest', 'data', 'ledger', 'routes/common', 'routes/items']],
    'routes/wallet': [
      ...['chain', 'rest', 'jsonrpc', 'data', 'ledger', 'routes/common', 'routes/items'],
    ],
    'routes/security': [
      ...['chain', 'rest', 'jsonrpc', 'proving', 'data', 'nfts', 'ledger'],
      ...['routes/common', 'routes/items'],
    ],
    'routes/nft': [
      ...['http', 'chain', 'rest', 'data', 'documents', 'nfts', 'ledger'],
      ...['routes/common', 'routes/items'],
    ],
    'routes/pricing': [
      ...['http', 'chain', 'rest', 'jsonrpc', 'proving', 'data', 'ledger'],
      ...['routes/common', 'routes/items'],
    ],
    'routes/crosschain': [
      ...['http', 'chain', 'rest', 'jsonrpc', 'data', 'ledger', 'routes/common', 'routes/items'],
      'routes/blockchain',
    ],
    routes: [
      ...['http', 'rest', 'jsonrpc', 'decoder', 'data'],
      ...['routes/common', 'routes/blockchain', 'routes/transactions', 'routes/wallet'],
      ...['routes/security', 'routes/nft', 'routes/crosschain', 'routes/pricing'],
    ],
  },
  tree: {
    store: [],
    laws: ['store'],
    nodes: ['store'],
    layout: ['store', 'nodes'],
    history: ['store', 'nodes', 'layout'],
    migrate: ['store', 'nodes', 'layout'],
    apply: ['store', 'nodes', 'layout', 'history'],
    load: ['store', 'nodes', 'layout', 'history', 'apply'],
    prove: ['store', 'nodes', 'layout', 'history', 'apply'],
    snapshot: ['store', 'nodes', 'layout', 'history', 'apply', 'load'],
  },
};

/** Folder -> its files that other folders import beside its index. A list that only shrinks. */
const seams: Record<string, readonly string[]> = {
  abi: [
    'allowances',
    'answers',
    'call',
    'encode',
    'encodeCall',
    'multicall',
    'pools',
    'tokens',
    'word',
  ],
  anchor: [
    ...['checkAnchored', 'common/errors', 'common/finality', 'common/network', 'contract'],
    ...['fetchAnchor', 'hints', 'options', 'source'],
  ],
  codec: ['account', 'argument', 'code', 'family', 'node', 'spec', 'word'],
  compact: ['climb', 'decode', 'encode', 'format', 'gaps', 'keys', 'verify'],
  decode: [
    'context/input',
    'context/quote',
    'definition/form',
    'rawLogs',
    'receipt/nativeLogAddress',
    'receipt/text',
    'receipt/tokenUrl',
  ],
  disk: ['errors', 'folder', 'scratch'],
  evm: ['call/call', 'call/errors', 'call/fork', 'call/gas', 'state/budget'],
  follow: [
    'loop/catchUp',
    'loop/finality',
    'loop/finalizer',
    'loop/loop',
    'node/errors',
    'node/node',
    'node/patience',
    'node/read',
    'node/system',
  ],
  foreign: ['argument', 'limits', 'members', 'reader', 'shape', 'values'],
  history: [
    'client/blockRef',
    'client/chain',
    'client/earlier',
    'client/view',
    'client/work',
    'verify/blockHashes',
    'verify/encoded',
    'verify/errors',
    'verify/filter',
    'verify/headers',
    'verify/receipts',
    'verify/sender',
    'verify/transactions',
    'verify/types',
  ],
  hash: ['engine', 'family', 'geometry', 'mimc', 'poseidon2'],
  indexer: ['receipts/fungible', 'receipts/itemMoves'],
  mpt: [
    'account',
    'bloom',
    'decode',
    'encode',
    'errors',
    'forms',
    'header',
    'headerFields',
    'list',
    'receipt',
    'root',
    'state',
    'text',
    'transaction',
    'withdrawal',
  ],
  proof: ['parse', 'path', 'read', 'types'],
  rpc: [
    'askProof',
    'body',
    'bounds',
    'caller',
    'errors',
    'get',
    'http',
    'lostState',
    'mediaType',
    'noMethod',
    'nodeClient',
    'redact',
    'retry',
    'transport',
  ],
  tree: [
    'load/mergeHeap',
    'load/records',
    'load/sortRecords',
    'load/sorter',
    'load/work',
    'prove/ownPieces',
    'store/crc32',
    'store/keys',
    'store/maybePromise',
    'store/mergeEntries',
    'store/numbers',
    'store/readDirectly',
    'store/scan',
    'store/search',
    'store/sortedMap',
    'store/spareMemory',
  ],
  verify: [
    'claim',
    'code',
    'existence',
    'gap',
    'hashKey',
    'hashed',
    'json',
    'nonExistence',
    'result',
    'verifier',
  ],
};

/** Imports of types alone, which load nothing. */
const typesOnly: Record<string, readonly string[]> = { data: ['decode'] };

/** But for these files, which load next to nothing. */
const light: readonly string[] = ['decode/definition/form.ts', 'decode/receipt/tokenUrl.ts'];

/** Folder -> packages and modules of Node that it may import. */
const packages: Record<string, readonly string[]> = {
  hash: ['@noble/hashes/sha3.js'],
  slots: ['@noble/hashes/sha3.js'],
  abi: ['@noble/hashes/sha3.js'],
  tree: ['@noble/hashes/sha3.js'],
  disk: ['node:fs', 'node:os', 'node:path'],
  lmdb: ['lmdb', 'node:fs', 'node:module', 'node:os', 'node:path'],
  postgres: ['pg', 'node:os', 'node:timers/promises'],
  pool: ['piscina'],
  mpt: ['@noble/hashes/sha3.js', '@ethereumjs/rlp'],
  beacon: ['@noble/curves/bls12-381.js', '@noble/hashes/sha2.js'],
  anchor: ['@noble/hashes/sha3.js'],
  history: ['@noble/hashes/sha3.js', '@noble/curves/secp256k1.js'],
  evm: [
    '@noble/curves/bls12-381.js',
    '@noble/curves/bn254.js',
    '@noble/hashes/legacy.js',
    '@noble/hashes/sha2.js',
    '@noble/hashes/sha3.js',
    '@ethereumjs/common',
    '@ethereumjs/evm',
    '@ethereumjs/util',
  ],
  messages: ['@noble/hashes/sha3.js'],
  provider: ['@noble/hashes/sha3.js'],
  data: ['zod/mini', '@noble/hashes/sha3.js'],
  viem: ['viem'],
  decode: ['viem/utils'],
  indexer: ['@noble/hashes/sha3.js', 'node:zlib'],
  follow: ['@noble/hashes/sha3.js'],
  service: [
    '@noble/hashes/sha2.js',
    '@noble/hashes/sha3.js',
    'hono',
    'hono/cors',
    '@hono/node-server',
    '@hono/zod-openapi',
    'node:dns/promises',
    'node:fs/promises',
    'node:http',
    'node:net',
    'node:stream',
    'node:tls',
    'node:util',
    'node:zlib',
    'pino',
    'prom-client',
  ],
  cli: [
    '@noble/hashes/sha3.js',
    'node:child_process',
    'node:cluster',
    'node:events',
    'node:fs',
    'node:fs/promises',
    'node:http',
    'node:https',
    'node:net',
    'node:os',
    'node:path',
    'node:readline',
    'node:stream',
    'node:stream/promises',
    'node:timers/promises',
    'node:url',
    'node:util',
    'node:v8',
    'node:worker_threads',
    'node:zlib',
    'prom-client',
    'zod/mini',
  ],
  page: [
    ...['@noble/hashes/sha3.js', '@noble/hashes/utils.js', 'preact', 'preact/hooks'],
    'viem/utils',
  ],
};

/** Files that import what the tables forbid, as `file -> import`. A list that only shrinks. */
const violations: readonly string[] = [];

const layerOf = (file: string) => (file.split('/')[0] as string).replace(/\.(c?ts|tsx)$/, '');

/** Why an import is forbidden; undefined if it is allowed. */
function faultOf(file: string, { target, isLocal, isType }: Import): string | undefined {
  const layer = layerOf(file);
  if (!isLocal) return packages[layer]?.includes(target) ? undefined : 'is no package for it';
  const other = layerOf(target);
  if (other === layer) return undefined;
  if (!isType && typesOnly[layer]?.includes(other) && !light.includes(target)) {
    return 'may be imported for its types only';
  }
  // The files on the ground import one another only as the table says.
  if (!ground.includes(layer) && ground.includes(other)) return undefined;
  if (users.includes(layer) && !/(^|\/)index\.ts$/.test(target)) return 'is no public entry';
  return allowed[layer]?.includes(other) ? undefined : 'is no folder for it';
}

test('each file imports only what its folder may', () => {
  const faults = files.flatMap((file) =>
    importsOf(file).flatMap((entry) => {
      const fault = faultOf(file, entry);
      const isKnown = violations.includes(`${file} -> ${entry.target}`);
      return fault === undefined || isKnown ? [] : [`src/${file}: ${entry.target} ${fault}`];
    }),
  );
  expect(faults).toEqual([]);
});

test('the imports of the whole of src are found', () => {
  const missing = files.flatMap((file) =>
    importsOf(file)
      .filter(({ target, isLocal }) => isLocal && !existsSync(join('src', target)))
      .map(({ target }) => `${file} -> ${target}`),
  );
  expect(missing).toEqual([]);
  // Counted another way: every quoted path to a file of ours is an import.
  for (const file of files) {
    const text = readFileSync(join('src', file), 'utf8').replaceAll(/new URL\([^)]*\)/g, '');
    const quoted = text.match(/'\.\.?\/[^']*\.js'/g) ?? [];
    expect(importsOf(file).filter(({ isLocal }) => isLocal).length, file).toBe(quoted.length);
  }
});

test('every folder of src has a rule, and what a rule names has one', () => {
  for (const layer of files.map(layerOf)) expect(Object.keys(allowed)).toContain(layer);
  for (const others of Object.values(allowed)) {
    for (const other of others) expect(Object.keys(allowed)).toContain(other);
  }
});

test('a violation that is gone is off the list', () => {
  const found = files.flatMap((file) =>
    importsOf(file)
      .filter((entry) => faultOf(file, entry) !== undefined)
      .map(({ target }) => `${file} -> ${target}`),
  );
  expect([...new Set(found)].sort()).toEqual([...violations].sort());
});

/** The first circle of a graph, or undefined. */
function circleOf(edges: ReadonlyMap<string, Iterable<string>>): string | undefined {
  const done = new Set<string>();
  const walk = (node: string, path: readonly string[]): string | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node].join(' -> ');
    if (done.has(node)) return undefined;
    for (const next of edges.get(node) ?? []) {
      const circle = walk(next, [...path, node]);
      if (circle !== undefined) return circle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of edges.keys()) {
    const circle = walk(node, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

test('neither files nor folders import one another in a circle', () => {
  const byFile = new Map<string, Set<string>>();
  const byFolder = new Map<string, Set<string>>();
  for (const file of files) {
    const targets = importsOf(file).filter(({ isLocal }) => isLocal);
    byFile.set(file, new Set(targets.map(({ target }) => target)));
    const folder = byFolder.get(layerOf(file)) ?? new Set();
    for (const { target } of targets) {
      if (layerOf(target) !== layerOf(file)) folder.add(layerOf(target));
    }
    byFolder.set(layerOf(file), folder);
  }
  expect(circleOf(byFile)).toBeUndefined();
  expect(circleOf(byFolder)).toBeUndefined();
  // Nor can they, as the table stands.
  expect(circleOf(new Map(Object.entries(allowed)))).toBeUndefined();
  expect(
    circleOf(
      new Map([
        ['a', ['b']],
        ['b', ['c']],
        ['c', ['b']],
      ]),
    ),
  ).toBe('b -> c -> b');
});

test('the verifier catches foreign reads only; a batch, each item; the engine, a forbidden compilation', () => {
  const verifier = [
    'bytes',
    'errors',
    'foreign',
    'abi',
    'hash',
    'codec',
    'proof',
    'verify',
    'compact',
    'trace',
    'index',
  ];
  const catching = files
    .filter((file) => verifier.includes(layerOf(file)))
    .filter((file) => /\bcatch\b\s*[({]/.test(readFileSync(join('src', file), 'utf8')));
  expect(catching.sort()).toEqual(['foreign/members.ts', 'hash/engine.ts', 'verify/verifier.ts']);
});

/** The lines of a file that are no comment: the examples in comments are programs of users. */
const codeOf = (file: string): string =>
  readFileSync(join('src', file), 'utf8').replaceAll(/^ *(\/?\*|\/\/).*$/gm, '');

/** Files of the users of the package that name a family by themselves. A list that only shrinks. */
const namingFamilies = ['cli/flags/common.ts', 'page/anatomy/Paste.tsx'];

test('outside hash only the table of specs names a family, so nothing compares with one', () => {
  const naming = files
    .filter((file) => layerOf(file) !== 'hash' && !namingFamilies.includes(file))
    .filter((file) => /'(mimc|poseidon2)'/.test(codeOf(file)));
  expect(naming).toEqual(['codec/spec.ts']);
});

/** The room of a file in its folder; empty if it stands in the folder itself. */
const roomOf = (file: string): string => file.split('/').slice(1, -1).join('/');

test('rooms import only rooms below them, and nothing of the folder above', () => {
  const found: Record<string, Record<string, string[]>> = {};
  for (const [folder, table] of Object.entries(rooms)) {
    found[folder] = Object.fromEntries(Object.keys(table).map((room) => [room, []]));
  }
  for (const file of files) {
    const [folder, room] = [layerOf(file), roomOf(file)];
    if (room === '' || folder === 'hash') continue;
    const row = found[folder]?.[room];
    expect(row, `src/${file} stands in a room that has no row`).toBeDefined();
    for (const { target } of importsOf(file).filter(({ isLocal }) => isLocal)) {
      const other = roomOf(target);
      if (layerOf(target) !== folder || other === room) continue;
      expect(other, `src/${file} imports ${target} of the folder above`).not.toBe('');
      row?.push(other);
    }
  }
  for (const [folder, table] of Object.entries(rooms)) {
    const names = Object.keys(table);
    for (const [at, room] of names.entries()) {
      expect([...new Set(found[folder]?.[room])].sort(), `${folder}/${room}`).toEqual(
        [...(table[room] as readonly string[])].sort(),
      );
      for (const other of table[room] as readonly string[]) {
        expect(names.slice(0, at), `${folder}/${room}`).toContain(other);
      }
    }
  }
});

test('of another folder only its index is imported, or a file that is listed', () => {
  const found: Record<string, Set<string>> = {};
  for (const file of files) {
    for (const { target, isLocal } of importsOf(file)) {
      const folder = layerOf(target);
      if (!isLocal || folder === layerOf(file) || !target.includes('/')) continue;
      if (target === `${folder}/index.ts`) continue;
      found[folder] ??= new Set();
      found[folder].add(target.slice(folder.length + 1, -'.ts'.length));
    }
  }
  const listed = Object.entries(found).map(([folder, names]) => [folder, [...names].sort()]);
  expect(Object.fromEntries(listed)).toEqual(seams);
});

test('no folder has more than 20 files, or more than 2,500 lines', () => {
  const sizes = new Map<string, { names: number; lines: number }>();
  for (const file of files) {
    const size = sizes.get(dirname(file)) ?? { names: 0, lines: 0 };
    size.names++;
    size.lines += readFileSync(join('src', file), 'utf8').split('\n').length - 1;
    sizes.set(dirname(file), size);
  }
  for (const [folder, { names, lines }] of sizes) {
    expect(names, folder).toBeLessThanOrEqual(20);
    expect(lines, folder).toBeLessThanOrEqual(2500);
  }
});

test('no file is longer than 300 lines', () => {
  for (const file of files) {
    expect(readFileSync(join('src', file), 'utf8').split('\n').length, file).toBeLessThanOrEqual(
      300,
    );
  }
});
