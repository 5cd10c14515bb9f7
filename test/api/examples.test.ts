/** The examples: their packages are those that are tested here, and what several of them say is the same in each. */
import { readdirSync, readFileSync } from 'node:fs';
import { privateKeyToAddress } from 'viem/accounts';
import { expect, test } from 'vitest';
import { defineNetwork } from '../../src/anchor/index.js';
import { devNetwork } from '../../src/cli/devnet/network.js';
import { accounts } from '../support/anvil.js';
import { blocksOf } from '../support/pages.js';
import { manifest } from '../support/project.js';

const names = readdirSync('examples');
/** The key of Anvil's second account, which everyone knows. */
const bobKey = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
const textOf = (path: string) => readFileSync(`examples/${path}`, 'utf8');

test('each names its packages in exact versions, which are those of the lock', () => {
  expect(names).toEqual(['bridge', 'dapp', 'data', 'light-client', 'operator']);
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const own = { l2proof: manifest.version, 'l2proof-server': manifest.version };
  const versionOf = (name: string) =>
    own[name as keyof typeof own] ?? packages[`node_modules/${name}`]?.version;
  for (const name of names) {
    const { dependencies, devDependencies = {} } = JSON.parse(textOf(`${name}/package.json`));
    const given = { ...dependencies, ...devDependencies };
    const tested = Object.keys(given).map((each) => [each, versionOf(each)]);
    expect([name, given]).toEqual([name, Object.fromEntries(tested)]);
  }
});

test('each describes the network of the devnet', () => {
  const [, described = ''] = /defineNetwork\((\{[^]*?\n\})\)/.exec(textOf('dapp/network.ts')) ?? [];
  for (const name of ['bridge', 'data', 'light-client']) {
    expect(textOf(`${name}/network.ts`)).toContain(`defineNetwork(${described})`);
  }
  const json = described
    .replaceAll(/(\w+):(?= )/g, '"$1":')
    .replaceAll("'", '"')
    .replaceAll(/,(?=\s*\})/g, '');
  expect(defineNetwork(JSON.parse(json))).toEqual(defineNetwork(devNetwork as never));
  expect(JSON.parse(textOf('operator/network.json'))).toEqual(devNetwork);
});

test('each README begins with the same devnet, and says whom the example trusts', () => {
  for (const name of names) {
    const page = `examples/${name}/README.md`;
    expect([name, blocksOf(page)[0]?.code]).toEqual([
      name,
      'npx -y -p l2proof-server l2proof devnet --port 8600\n',
    ]);
    expect(readFileSync(page, 'utf8')).toMatch(/^## Whom it trusts\n\n- \*\*/m);
  }
});

test('the files of settings are of the devnet alone: they are packed as they are', () => {
  const files = ['bridge', 'dapp', 'data', 'light-client'].map((name) => `${name}/.env`);
  for (const file of [...files, 'operator/operator.env']) {
    const text = textOf(file);
    const hosts = [...text.matchAll(/\w+:\/\/([^:/\s]+)/g)].map(([, host]) => host);
    expect([file, [...new Set(hosts)]]).toEqual([file, ['127.0.0.1']]);
    const forms = [/KEYS?:?=([\w-]+)/g, /\/v3\/([\w-]+)/g, /\b((?:0x)?[0-9a-f]{64})\b/gi];
    const keys = forms.flatMap((form) => [...text.matchAll(form)].map(([, key]) => key as string));
    const known = ['devnet-key', 'key-of-a-client', bobKey];
    expect([file, keys.filter((key) => !known.includes(key))]).toEqual([file, []]);
  }
  expect(textOf('bridge/.env')).toContain(`\nPRIVATE_KEY=${bobKey}\n`);
  expect(privateKeyToAddress(bobKey).toLowerCase()).toBe(accounts[1]);
});
