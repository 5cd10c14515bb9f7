/** Folders for what a test writes. They are gone when its file is done: see `eachFile.ts`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];

/** A new empty folder. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'l2proof-test-'));
  folders.push(folder);
  return folder;
}

/** Removes the folders that were made. */
export function removeFolders(): void {
  // A process that was just ended may still write for a moment.
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, maxRetries: 10 });
}
