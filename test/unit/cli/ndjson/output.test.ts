/** What writes results to standard output. */
import { expect, test, vi } from 'vitest';
import { openStdout } from '../../../../src/cli/ndjson/output.js';

const { stdout } = process;
const listeners = () => ['drain', 'close', 'error'].map((name) => stdout.listenerCount(name));

test('it waits for a slow reader, and leaves no listener for each wait', async () => {
  const output = openStdout();
  const [onError] = stdout.listeners('error').slice(-1);
  const before = listeners();
  const write = vi.spyOn(stdout, 'write').mockReturnValue(false);
  try {
    for (let i = 0; i < 20; i++) {
      let isWritten = false;
      const written = output.write('line').then((more) => {
        isWritten = true;
        return more;
      });
      await new Promise(setImmediate);
      expect(isWritten).toBe(false);
      stdout.emit('drain');
      expect(await written).toBe(true);
    }
  } finally {
    write.mockRestore();
    stdout.off('error', onError as () => void);
  }
  expect(listeners()).toEqual([before[0], before[1], (before[2] as number) - 1]);
});
