/** The tools that read what `deploy` holds. */
import { spawnSync } from 'node:child_process';

/** The package of Debian that has each. */
const packages = { promtool: 'prometheus', 'systemd-analyze': 'systemd' } as const;

/** Runs a tool to its end. @returns its exit code, and what it says */
export function runTool(name: keyof typeof packages, args: readonly string[], input = '') {
  const { status, stdout, stderr, error } = spawnSync(name, args, { input, encoding: 'utf8' });
  if (error) {
    const from = packages[name];
    throw new Error(
      `these tests need ${from}; run: apt-get update && apt-get install -y --no-install-recommends ${from}`,
    );
  }
  return { status, said: `${stdout}${stderr}` };
}
