/** Uses @foundry-rs/anvil, and what else a devnet needs: its five commands. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';

const command = ['node_modules/l2proof/dist/cli/main.js', 'devnet', '--once'];
const run = spawnSync(process.execPath, command, { encoding: 'utf8' });
assert.equal(run.stderr, '');
assert.equal(run.status, 0);
assert.equal(run.stdout.match(/^=> /gm)?.length, 5);
console.log('all used');
