/** Texts in the user's cache folder: what is lost there costs time, and no more. */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** What the place of the folder depends on. */
interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home; may throw. */
  readonly homedir: () => string;
}

/** The cache folder of `l2proof`, which need not be there. */
export function cacheFolder({ platform, env, homedir }: Surroundings): string {
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'l2proof');
  const isWindows = platform === 'win32';
  const own = isWindows ? env.LOCALAPPDATA : env.XDG_CACHE_HOME;
  // The XDG specification has relative paths ignored.
  if (own !== undefined && isAbsolute(own)) return join(own, 'l2proof');
  return join(homedir(), ...(isWindows ? ['AppData', 'Local'] : ['.cache']), 'l2proof');
}

/** A text that outlives the process if the folder can be written. Its functions never reject. */
interface CachedText {
  get(): Promise<string | undefined>;
  /** Replaces the text, the whole of it or nothing, even if the process is killed meanwhile. */
  set(text: string): Promise<void>;
}

/** Longest file that is read, in bytes. */
const mostBytes = 32 * 2 ** 20;

/** Ms after which a part that is still there was left by a process that was killed. */
const partAge = 3_600_000;

/** Removes what processes left that were killed while they wrote. */
async function removeOldParts(folder: string, prefix: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix) || !name.endsWith('.part')) continue;
    const part = join(folder, name);
    const { mtimeMs } = await stat(part).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > partAge) await rm(part, { force: true });
  }
}

/**
 * A text in the cache folder.
 *
 * @param name of its file
 * @param onFailure called once if the text cannot be read or kept
 */
export function cachedText(name: string, onFailure: (error: unknown) => void): CachedText {
  const folderHere = () => cacheFolder({ platform: process.platform, env: process.env, homedir });
  let hasFailed = false;
  const fail = (error: unknown) => {
    if (!hasFailed) onFailure(error);
    hasFailed = true;
  };
  return {
    async get() {
      try {
        const file = join(folderHere(), name);
        const found = await stat(file);
        if (!found.isFile() || found.size > mostBytes) {
          throw new Error(`${name} is no file of at most ${mostBytes} bytes`);
        }
        return await readFile(file, 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') fail(error);
        return undefined;
      }
    },
    async set(text) {
      try {
        const folder = folderHere();
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await removeOldParts(folder, `${name}.`);
        // A name of its own: two processes may write at once.
        const part = join(folder, `${name}.${crypto.randomUUID()}.part`);
        try {
          await writeFile(part, text, { mode: 0o600 });
          await rename(part, join(folder, name));
        } catch (error) {
          await rm(part, { force: true });
          throw error;
        }
      } catch (error) {
        fail(error);
      }
    },
  };
}
