/** Each command on a terminal, on a devnet, with no more packages than its help names. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { key } from '../../../src/cli/devnet/devnet.js';
import { accounts, devNetwork } from '../../../src/cli/devnet/network.js';
import { type Command, commands, usageOf } from '../../../src/cli/help/usage.js';
import { type GuideDevnet, openGuideDevnet } from '../../support/devnet.js';
import { newFolder } from '../../support/folder.js';
import { honest, patience } from '../../support/runs.js';

let world: GuideDevnet;
beforeAll(async () => {
  world = await openGuideDevnet(devNetwork);
}, patience);
afterAll(() => world?.close());

/**
 * The packages that the help of a command says to install.
 *
 * @param parts how the lines begin that count
 */
const packagesOf = (command: Command, ...parts: string[]): string[] =>
  parts.flatMap((part) => {
    const line = new RegExp(`^${part}: npm install (.*)$`, 'm').exec(usageOf(command));
    expect([command, part, line?.length]).toEqual([command, part, 2]);
    return (line?.[1] as string).split(' ').map((one) => one.replace(/@[\d.]+$/, ''));
  });

/** The built package beside its dependencies and some more packages. No folder above has any. */
function install(packages: readonly string[]): string {
  const folder = newFolder();
  cpSync('dist', join(folder, 'dist'), { recursive: true });
  cpSync('package.json', join(folder, 'package.json'));
  for (const name of ['@noble/curves', '@noble/hashes', ...packages]) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(resolve('node_modules', name), link);
  }
  return folder;
}

interface Run {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Ends the command by Ctrl-C once it has said this. */
  readonly until?: RegExp;
}

const tried = new Set<string>();

/** Runs a command on a terminal. @returns all that it shows there */
async function run(line: string, { cwd, env, until }: Run): Promise<string> {
  tried.add(line.split(' ')[0] as string);
  // `exec`: some shells would stay in between, and tell of Ctrl-C by an exit code of their own.
  const command = `exec ${process.execPath} dist/cli/main.js ${line}`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd,
    // Colours are color.test.ts's.
    env: { ...process.env, NO_COLOR: '1', ...env },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part) => {
      said += part;
      if (until?.test(said)) child.stdin.end('\x03');
    });
  }
  if (until === undefined) child.stdin.end();
  const [status] = await once(child, 'close');
  expect({ line, status, said }).toMatchObject({ status: 0 });
  return said;
}

test(
  'those of a store',
  async () => {
    const cwd = install(packagesOf('load', 'Needs'));
    for (const command of ['follow', 'index', 'migrate', 'snapshot', 'status'] as const) {
      const part = command === 'snapshot' ? 'Needs, but for info and verify' : 'Needs';
      expect(packagesOf(command, part)).toEqual(['lmdb']);
    }
    copyFileSync(world.genesis, join(cwd, 'genesis.json'));
    const loaded = await run('load --store state genesis.json', { cwd });
    const root = /state root (0x\w+)/.exec(loaded)?.[1];
    await run('snapshot export --store state --out state.snapshot', { cwd });
    await run('snapshot info state.snapshot', { cwd });
    await run(`snapshot verify state.snapshot --root ${root}`, { cwd });
    await run(`snapshot import state.snapshot --store other --root ${root}`, { cwd });
    await run(`follow --store state --l2 ${world.l2.url} --fork prague --once`, { cwd });
    await run('migrate --store state', { cwd });
    await run(`index --store index --l2 ${world.l2.url} --once`, { cwd });
    await run(`index --store index --check --l2 ${world.l2.url}`, { cwd });
    expect(await run('status --store state', { cwd })).toContain('state tree, format 3');
    expect(await run('status --store index', { cwd })).toContain('index, format 4');
    const served = install(packagesOf('serve', 'Needs'));
    cpSync(join(cwd, 'state'), join(served, 'state'), { recursive: true });
    const serve = 'serve --store state --finality store --port 0 --drain 0';
    await run(serve, { cwd: served, until: /"listening"/ });
  },
  patience,
);

test(
  'those that need no package',
  async () => {
    const cwd = install([]);
    for (const command of ['explain', 'compact', 'calldata', 'completion'] as const) {
      expect(usageOf(command)).not.toContain('npm install');
    }
    const { result, claim } = honest('poseidon2');
    writeFileSync(join(cwd, 'answer.json'), JSON.stringify(result));
    writeFileSync(join(cwd, 'lines.ndjson'), JSON.stringify({ ...claim, result }));
    const slots = (claim.storageKeys ?? []).map((slot) => ` --slot ${slot}`).join('');
    const asked = `answer.json --root ${claim.stateRoot} --address ${claim.address}${slots}`;
    expect(await run(`verify ${asked}`, { cwd })).toContain('verified');
    expect(await run(`explain ${asked}`, { cwd })).toContain('path climbs alone');
    await run('verify --ndjson lines.ndjson --out results.txt', { cwd });
    await run(`compact ${asked} --out proof.bin`, { cwd });
    expect(await run(`calldata ${asked}`, { cwd })).toContain('verifyProof');
    expect(await run('completion bash', { cwd })).toContain('complete -');
    await run('verify --ndjson lines.ndjson --jobs 2', { cwd });
  },
  patience,
);

test(
  'those that ask endpoints',
  async () => {
    const { networkFile, l1, l2, proofs, data, swap, message } = world.devnet;
    const bob = accounts[1];
    const env = { L2PROOF_L1: l1, L2PROOF_L2: proofs, L2PROOF_DATA: data, L2PROOF_DATA_KEY: key };
    const cwd = install(packagesOf('fetch', 'Needs'));
    for (const command of ['tx', 'block', 'logs', 'message'] as const) {
      expect(packagesOf(command, 'Needs')).toEqual(packagesOf('fetch', 'Needs'));
    }
    const network = `--network ${networkFile}`;
    for (const line of [
      `fetch --address ${bob} ${network}`,
      `tx ${swap} ${network}`,
      `block latest ${network}`,
      `logs ${network} --from 1 --to 5`,
      `message ${message} ${network} --node ${l2}`,
    ]) {
      expect(await run(line, { cwd, env })).toContain('verified');
    }
    const decoding = install(packagesOf('decode', 'Needs'));
    expect(await run(`decode ${swap} --l2 ${l2}`, { cwd: decoding, env })).toContain('Swap');
    const proving = install(packagesOf('decode', 'Needs', 'and --prove'));
    await run(`decode ${swap} --prove ${network} --node ${l2}`, { cwd: proving, env });
    const held = `balances --address ${bob} --chain ${devNetwork.name}`;
    expect(await run(held, { cwd: install(packagesOf('balances', 'Needs')), env })).toContain(
      'DUSD',
    );
    const { dollar, badge } = world.devnet.contracts;
    const listing = { cwd: install(packagesOf('transactions', 'Needs')), env };
    for (const command of [
      'transfers',
      'holders',
      'activity',
      'portfolio',
      'allowances',
      'nfts',
    ] as const) {
      expect(packagesOf(command, 'Needs')).toEqual(packagesOf('transactions', 'Needs'));
    }
    const onChain = `--chain ${devNetwork.name}`;
    expect(await run(`transactions ${bob} ${onChain}`, listing)).toContain(swap);
    expect(await run(`transfers ${bob} --token ${dollar} ${onChain}`, listing)).toContain('DUSD');
    expect(await run(`holders ${dollar} ${onChain}`, listing)).toContain(bob.slice(2, 8));
    // The pool has taken what it was allowed.
    expect(await run(`allowances ${bob} ${onChain}`, listing)).toBe('nothing\r\n');
    expect(await run(`nfts ${bob} ${onChain}`, listing)).toContain(badge.slice(2, 8));
    expect(await run(`activity ${bob}`, listing)).toContain(devNetwork.name);
    expect(await run(`portfolio ${bob} --days 2 ${onChain}`, listing)).toContain('DUSD');
    const provingHeld = install(packagesOf('balances', 'Needs', 'and --prove'));
    expect(await run(`${held} --prove ${network}`, { cwd: provingHeld, env })).toContain(
      'verified at L2 block',
    );
    for (const line of [
      `holders ${dollar}`,
      ...[`allowances ${bob}`, `nfts ${bob}`, `transactions ${bob}`, `transfers ${bob}`],
    ]) {
      const [command] = line.split(' ') as ['holders'];
      expect(packagesOf(command, 'Needs', 'and --prove')).toEqual(
        packagesOf('balances', 'Needs', 'and --prove'),
      );
      const proven = `${line} ${onChain} --prove ${network}`;
      expect(await run(proven, { cwd: provingHeld, env })).toContain('verified at L2 block');
    }
    const answering = install(packagesOf('proxy', 'Needs'));
    await run(`proxy ${network} --port 0`, { cwd: answering, env, until: /listening on/ });
    const whole = install(packagesOf('devnet', 'Needs'));
    await run('devnet', { cwd: whole, until: /Ctrl-C/ });
  },
  patience,
);

test('all of them', () => {
  expect([...tried].sort()).toEqual([...commands].sort());
});
