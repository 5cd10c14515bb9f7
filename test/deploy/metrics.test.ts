/** The metrics that the commands really export, and what in `deploy` names them. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { genesisLines } from '../../src/follow/index.js';
import { type Anvil, startAnvil } from '../support/anvil.js';
import { genesisAddresses, genesisOf } from '../support/chain.js';
import { type Command, endCommands, startCommand, urlOf } from '../support/commands.js';
import { newFolder } from '../support/folder.js';
import { serverCommand } from '../support/installed.js';
import { patience } from '../support/runs.js';
import { until } from '../support/until.js';
import { textOf } from './files.js';
import { runTool } from './tools.js';

/** A case of `promtool test rules`, as far as the test looks at it. */
interface AlertCase {
  readonly alert_rule_test: readonly { alertname: string; exp_alerts?: readonly unknown[] }[];
}

/** Text of `/metrics`, by the job that reads it. */
const scraped = new Map<string, string>();
let node: Anvil;

/** URL of the metrics of a command that follows, once it has applied a block. */
async function followed({ said }: Command): Promise<string> {
  await until(() => /^block \d+/m.test(said.text), 'a block is applied');
  return /^metrics on (\S+)$/m.exec(said.text)?.[1] as string;
}

beforeAll(async () => {
  const command = await serverCommand();
  const cwd = newFolder();
  node = await startAnvil('--hardfork', 'prague');
  await node.mine();
  writeFileSync(
    join(cwd, 'genesis.json'),
    [...genesisLines(await genesisOf(node, genesisAddresses))].join('\n'),
  );
  const start = (line: string) => startCommand([command, ...line.split(' ')], { cwd });
  const loaded = start('load --store state genesis.json');
  expect(await loaded.ended, loaded.said.text).toBe(0);
  const follower = start(`follow --store state --l2 ${node.url} --fork prague --metrics 0`);
  const index = start(`index --store index --l2 ${node.url} --metrics 0`);
  const server = start('serve --store state --finality 0 --port 0');
  const servers = start('serve --store state --finality 0 --port 0 --processes 2');
  const urls = {
    'l2proof-follow': await followed(follower),
    'l2proof-index': await followed(index),
    'l2proof-serve': `${await urlOf(server)}/metrics`,
    'two processes': `${await urlOf(servers)}/metrics`,
  };
  for (const [job, url] of Object.entries(urls)) {
    // What is asked once is counted.
    await fetch(new URL('/v3/', url), { method: 'POST', body: '{}' });
    const { ok, text } = await fetch(url).then(async (answer) => ({
      ok: answer.ok,
      text: await answer.text(),
    }));
    expect([job, ok]).toEqual([job, true]);
    scraped.set(job, text);
  }
}, patience);

afterAll(async () => {
  endCommands();
  await node?.close();
});

/** Names that are exported, with those of the parts of a histogram. */
function exportedNames(): Set<string> {
  const lines = [...scraped.values()].join('\n').split('\n');
  return new Set(lines.map((line) => /^\w+/.exec(line)?.[0]).filter((name) => name !== undefined));
}

const namesIn = (text: string) =>
  [...text.matchAll(/\b(l2proof|nodejs|process)_\w+/g)].map(([name]) => name);

test.each(['l2proof-follow', 'l2proof-index', 'l2proof-serve', 'two processes'])(
  'promtool has nothing against the metrics of %s',
  (job) => {
    const text = scraped.get(job) as string;
    expect(namesIn(text).filter((name) => name.startsWith('l2proof_')).length).toBeGreaterThan(3);
    expect(runTool('promtool', ['check', 'metrics'], text)).toEqual({ status: 0, said: '' });
    // It finds faults, as one that it was to find here.
    const wrong = `${text}\n# HELP some_total A gauge\n# TYPE some_total gauge\nsome_total 1\n`;
    expect(runTool('promtool', ['check', 'metrics'], wrong).status).not.toBe(0);
  },
);

test('alerts and dashboard name metrics that are exported, and jobs that are read', () => {
  const exported = exportedNames();
  const jobs = [...textOf('prometheus.yml').matchAll(/job_name: (\S+)/g)].map(([, job]) => job);
  expect(jobs).toEqual(['l2proof-serve', 'l2proof-follow', 'l2proof-index']);
  const rules = parse(textOf('l2proof.rules.yml')).groups.flatMap(
    ({ rules: some }: { rules: { expr: string }[] }) => some.map(({ expr }) => expr),
  );
  const panels = JSON.parse(textOf('dashboard.json')).panels.flatMap(
    ({ targets }: { targets: { expr: string }[] }) => targets.map(({ expr }) => expr),
  );
  for (const exprs of [rules, panels]) {
    const named = namesIn(exprs.join('\n'));
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !exported.has(name))).toEqual([]);
    for (const [, job] of exprs.join('\n').matchAll(/job=~?"([^"]*)"/g)) {
      expect(jobs.every((one) => new RegExp(`^${job}$`).test(one as string))).toBe(true);
    }
  }
});

test('the expressions of the dashboard are ones that Prometheus takes', () => {
  const { panels } = JSON.parse(textOf('dashboard.json'));
  const records = panels.flatMap(({ targets }: { targets: { expr: string }[] }, i: number) =>
    targets.map(({ expr }, j) => ({ record: `panel:${i}:${j}`, expr })),
  );
  const file = join(newFolder(), 'panels.yml');
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules: records }] }));
  const { status, said } = runTool('promtool', ['check', 'rules', file]);
  expect([status, said]).toEqual([0, expect.stringContaining(`${records.length} rules found`)]);
});

test('promtool takes the configuration and the alerts, and the alerts fire when they should', () => {
  const folder = newFolder();
  cpSync('deploy', folder, { recursive: true });
  const config = runTool('promtool', ['check', 'config', join(folder, 'prometheus.yml')]);
  expect(config).toMatchObject({ status: 0, said: expect.stringContaining('7 rules found') });
  const cases = join(folder, 'l2proof.rules.test.yml');
  cpSync('test/deploy/l2proof.rules.test.yml', cases);
  expect(runTool('promtool', ['test', 'rules', cases])).toMatchObject({ status: 0 });
  // Each alert is awaited once when all is well, and once when all is wrong.
  const alerts = [...textOf('l2proof.rules.yml').matchAll(/alert: (\w+)/g)].map(([, name]) => name);
  const { tests } = parse(readFileSync(cases, 'utf8')) as { tests: AlertCase[] };
  const fired = tests.map(({ alert_rule_test: rows }) =>
    rows.map(({ alertname, exp_alerts = [] }) => [alertname, exp_alerts.length]),
  );
  expect(fired).toEqual([0, 1].map((count) => alerts.map((name) => [name, count])));
});
