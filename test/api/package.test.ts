/** The packed tarball, installed elsewhere, as a user gets it. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../support/folder.js';
import { honest, patience } from '../support/runs.js';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

test(
  'the tarball installs, every entry imports, and the command runs',
  () => {
    const folder = newFolder();
    const npm = (...args: string[]) => execFileSync('npm', args, { cwd: folder, encoding: 'utf8' });
    const packed = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
        encoding: 'utf8',
      }),
    );
    const [{ filename, files }] = packed;
    const names: string[] = files.map(({ path }: { path: string }) => path);
    expect(names.filter((name) => !/^(dist|src)\//.test(name)).sort()).toEqual([
      'LICENSE',
      'README.md',
      'package.json',
    ]);

    // The dependencies come from this checkout, so that the test needs no network.
    const { name, version, dependencies } = manifest;
    const install = (...packages: string[]) => {
      const local = Object.fromEntries(
        packages.map((one) => [one, `file:${join(process.cwd(), 'node_modules', one)}`]),
      );
      writeFileSync(
        join(folder, 'package.json'),
        JSON.stringify({ private: true, type: 'module', dependencies: local, overrides: local }),
      );
      npm(
        'install',
        '--offline',
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        join(folder, filename),
      );
    };
    const load = (entries: string[]) => {
      const script = `
      for (const entry of ${JSON.stringify(entries.map((entry) => entry.replace(/^\./, name)))}) {
        const options = entry.endsWith('.json') ? { with: { type: 'json' } } : {};
        const module = await import(entry, options);
        if (Object.keys(module).length === 0) throw new Error(entry + ' exports nothing');
      }`;
      execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
        cwd: folder,
      });
    };
    install(...Object.keys(dependencies));
    // Who verifies, or answers from a tree that he has, installs nothing else.
    const alone = ['.', './hash', './package.json', './pool', './rpc', './service', './trace'];
    load(alone);
    // Without its package, the anchor says what to install.
    const missing = `
    const error = await import('${name}/anchor').catch((error) => error);
    console.log(error.name, error.code, error.message);`;
    const [refusal, installLine] = execFileSync(
      process.execPath,
      ['--input-type=module', '-e', missing],
      { cwd: folder, encoding: 'utf8' },
    ).split('; ');
    expect(refusal).toMatch(/^AnchorError MISSING_PEER /);
    expect(installLine).toMatch(/^run: npm install @ethereumjs\/rlp@/);
    // Whatever has a tree in it, or proofs of L1, needs the one package that its README section names.
    install(...Object.keys(dependencies), '@ethereumjs/rlp');
    load(Object.keys(manifest.exports).filter((entry) => !alone.includes(entry)));

    const { result, claim } = honest('poseidon2');
    writeFileSync(join(folder, 'answer.json'), JSON.stringify(result));
    const script = `
    const { verifyProof } = await import('${name}');
    const { readFileSync } = await import('node:fs');
    const state = verifyProof(JSON.parse(readFileSync('answer.json')), ${JSON.stringify(claim)});
    console.log(String(state.account.balance));
  `;
    const output = execFileSync(
      process.execPath,
      ['--no-warnings', '--input-type=module', '-e', script],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    );
    expect(output.trim()).toBe('1000000000000000000');

    const slots = (claim.storageKeys ?? []).flatMap((key) => ['--slot', key]);
    const args = ['verify', 'answer.json', '--root', claim.stateRoot, '--address', claim.address];
    expect(npm('exec', '--offline', '--', 'l2proof', ...args, ...slots)).toContain('verified');
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  },
  patience,
);
