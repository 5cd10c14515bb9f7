/** The units of `deploy`, as systemd reads them. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { newFolder } from '../support/folder.js';
import { serverCommand } from '../support/installed.js';
import { blocksOf } from '../support/pages.js';
import { patience } from '../support/runs.js';
import { textOf } from './files.js';
import { runTool } from './tools.js';

const units = readdirSync('deploy').filter((name) => name.endsWith('.service'));

let command: string;
beforeAll(async () => {
  command = await serverCommand();
}, patience);

/** The exposure that systemd works out, from 0 to 10. */
const exposureOf = (said: string) => Number(/exposure level for \S+: ([\d.]+)/.exec(said)?.[1]);

test('there is one for each process that goes on', () => {
  expect(units).toEqual(['follow', 'index', 'serve'].map((name) => `l2proof-${name}.service`));
});

test.each(units)('systemd has nothing against %s, with its command as installed', (name) => {
  const text = textOf(name);
  expect(text).toMatch(new RegExp(`^# /etc/systemd/system/${name}\n`));
  const file = join(newFolder(), name);
  writeFileSync(file, text.replace('/opt/l2proof/bin/l2proof', command));
  expect(runTool('systemd-analyze', ['verify', '--man=no', file])).toEqual({ status: 0, said: '' });
});

test.each(units)('%s leaves little to an attacker', (name) => {
  const args = ['security', '--offline=true', '--no-pager'];
  const { status, said } = runTool('systemd-analyze', [...args, `deploy/${name}`]);
  expect(status).toBe(0);
  expect(exposureOf(said)).toBeLessThan(2);
  // The figure depends on the unit: one that only names its user is exposed.
  const bare = join(newFolder(), name);
  writeFileSync(bare, '[Service]\nUser=l2proof\nExecStart=/bin/true\n');
  expect(exposureOf(runTool('systemd-analyze', [...args, bare]).said)).toBeGreaterThan(4);
});

test('the guide enables those of a follower and a server', () => {
  const [line] = blocksOf('docs/operate.md')
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => code.split('\n').filter((one) => one.startsWith('systemctl enable')));
  expect(line).toBe('systemctl enable --now l2proof-follow l2proof-serve');
});
