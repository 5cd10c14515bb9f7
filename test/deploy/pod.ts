/**
 * Containers without a host of containers: processes in name spaces of the kernel, as the services of compose.yaml have
 * them. They share process ids and a root that is read only; the state alone can be written. They run as user 1000,
 * without rights of root. The network is that of the machine.
 */
import { type ChildProcess, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../support/folder.js';
import { until } from '../support/until.js';

/** Makes the root of the containers, and becomes the process that the image's entry point is for the pod. */
const setUp = `
set -e
mount -t tmpfs none "$ROOT"
for name in /usr /bin /sbin /lib /lib64 /etc /dev; do
  if [ -L $name ]; then cp -P $name "$ROOT$name"
  elif [ -d $name ]; then mkdir "$ROOT$name"; mount --rbind $name "$ROOT$name"; fi
done
mkdir -p "$ROOT/opt/l2proof" "$ROOT/opt/node" "$ROOT/state" "$ROOT/proc"
touch "$ROOT/opt/node/node"
mount --bind "$NODE" "$ROOT/opt/node/node"
mount --bind "$PREFIX" "$ROOT/opt/l2proof"
mount --bind "$STATE" "$ROOT/state"
mount -t proc none "$ROOT/proc"
cd "$ROOT"
pivot_root . .
umount -l .
for each in / /usr /etc /opt/l2proof; do mount -o remount,bind,ro $each 2>/dev/null || mount -o remount,ro $each; done
touch /state/ready
exec "$@"
`;

export interface Pod {
  /** The folder that is the volume. */
  readonly state: string;
  /** Starts a command in the pod. */
  start(command: readonly string[], env?: Readonly<Record<string, string>>): PodProcess;
  /** Runs a command in the pod to its end. */
  run(command: readonly string[], env?: Readonly<Record<string, string>>): SpawnSyncReturns<string>;
  /** Ends its first process, and waits for all others. */
  end(): Promise<void>;
}

export interface PodProcess {
  /** Output so far, of both streams. */
  readonly said: { readonly text: string };
  /** The exit code; null if a signal ended it. */
  readonly ended: Promise<unknown[]>;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
}

/** The process that a program of name spaces has started in them. */
function childOf({ pid }: ChildProcess): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return Number(children);
}

interface PodOptions {
  /** Where the image has `/opt/l2proof` from. */
  readonly prefix: string;
  /** The command that holds the name spaces. */
  readonly hold: readonly string[];
}

export async function startPod({ prefix, hold }: PodOptions): Promise<Pod> {
  const state = newFolder();
  const env = {
    ...process.env,
    ROOT: newFolder(),
    STATE: state,
    PREFIX: prefix,
    NODE: process.execPath,
  };
  const spaces = ['--user', '--map-root-user', '--mount', '--pid', '--fork', '--kill-child'];
  const holder = spawn('unshare', [...spaces, 'sh', '-c', setUp, 'sh', ...hold], { env });
  let said = '';
  holder.stderr.on('data', (text) => {
    said += text;
  });
  const gone = once(holder, 'exit');
  await until(() => {
    if (holder.exitCode !== null) throw new Error(`the pod ended: ${said}`);
    return existsSync(join(state, 'ready'));
  }, 'the pod is set up');
  // unshare itself stays outside of the name space of process ids that it makes.
  const first = childOf(holder);

  const inside = (command: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    const spaces = [
      '--target',
      String(first),
      '--user',
      '--mount',
      '--pid',
      '--preserve-credentials',
    ];
    const user = ['unshare', '--user', '--map-user=1000', '--map-group=1000'];
    const variables = Object.entries({
      PATH: '/opt/l2proof/bin:/opt/node:/usr/bin:/bin',
      ...more,
    }).map(([name, value]) => `${name}=${value}`);
    const own = ['setpriv', '--no-new-privs', 'env', '-i', '-C', '/state', ...variables];
    return [...spaces, ...user, ...own, ...command];
  };
  return {
    state,
    start(command, more) {
      const child = spawn('nsenter', inside(command, more));
      const output = { text: '' };
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (text) => {
          output.text += text;
        });
      }
      const ended = once(child, 'close');
      return { said: output, ended, kill: (signal) => void process.kill(childOf(child), signal) };
    },
    run: (command, more) =>
      spawnSync('nsenter', inside(command, more), { encoding: 'utf8', timeout: 120_000 }),
    async end() {
      if (holder.exitCode === null) process.kill(first, 'SIGKILL');
      await gone;
    },
  };
}
