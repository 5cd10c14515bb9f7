/** Runs a part of a bench in a process of its own, and shows how far it is. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startProgress } from '../src/cli/print/progress.js';
import { countText } from '../src/cli/print/result.js';

/**
 * @param script beside this file; it prints its report as JSON, and how far it is as a number a line on standard error
 * @param total what the numbers go up to
 */
export async function runChild<Report>(
  script: string,
  args: readonly string[],
  total: number,
  flags: readonly string[] = [],
): Promise<Report> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [...flags, path, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const progress = startProgress();
  const show = (done: number) => {
    const figures = countText(done, 'account');
    progress.update({ phase: script, share: done / total, figures, done });
  };
  const errors: string[] = [];
  createInterface({ input: child.stderr }).on('line', (text) => {
    if (/^\d+$/.test(text)) show(Number(text));
    else errors.push(text);
  });
  let output = '';
  for await (const text of child.stdout) output += text;
  progress.stop();
  if (output === '') throw new Error(errors.join('\n'));
  return JSON.parse(output);
}
