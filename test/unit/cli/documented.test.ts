/** The commands that show progress, on a terminal, with no more packages than their help names. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { genesisLines } from '../../../src/follow/index.js';
import { startAnvil } from '../../support/anvil.js';
import { genesisAddresses, genesisOf } from '../../support/chain.js';
import { newFolder } from '../../support/folder.js';
import { honest } from '../../support/runs.js';

/** The built package beside its dependencies and lmdb. No folder above has packages. */
function install(): string {
  const folder = newFolder();
  cpSync('dist', join(folder, 'dist'), { recursive: true });
  cpSync('package.json', join(folder, 'package.json'));
  mkdirSync(join(folder, 'node_modules'));
  for (const name of ['@noble', 'lmdb']) {
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  }
  return folder;
}

test('each runs to its end', async () => {
  const cwd = install();
  const node = await startAnvil('--hardfork', 'prague');
  try {
    const genesis = [...genesisLines(await genesisOf(node, genesisAddresses))];
    writeFileSync(join(cwd, 'genesis.jsonl'), genesis.join('\n'));
    const { result, claim } = honest('poseidon2');
    writeFileSync(join(cwd, 'lines.ndjson'), JSON.stringify({ ...claim, result }));
    const run = (line: string) => {
      const command = `${process.execPath} dist/cli/main.js ${line}`;
      const options = { cwd, encoding: 'utf8', input: '' } as const;
      const { status, stdout } = spawnSync('script', ['-qec', command, '/dev/null'], options);
      expect({ line, status, stdout }).toMatchObject({ status: 0 });
      return stdout;
    };
    run('verify --ndjson lines.ndjson --out results.txt');
    const root = /state root (0x\w+)/.exec(run('load --store state genesis.jsonl'))?.[1];
    run('snapshot export --store state --out state.snapshot');
    run('snapshot info state.snapshot');
    run(`snapshot verify state.snapshot --root ${root}`);
    run(`snapshot import state.snapshot --store other --root ${root}`);
    run(`follow --store state --l2 ${node.url} --fork prague --once`);
    run('migrate --store state');
    run(`index --store index --l2 ${node.url} --once`);
    run(`index --store index --check --l2 ${node.url}`);
    expect(run('status --store state')).toContain('state tree, format 3');
    expect(run('status --store index')).toContain('index, format 4');
  } finally {
    await node.close();
  }
});
