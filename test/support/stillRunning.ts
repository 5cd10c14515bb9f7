/** A line when no file of tests has ended for a while: some run real processes for a minute and more. */
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Ms without a word after which there is a line. */
const silence = 20_000;

/** @param say writes a line @param quiet ms without a file that ends */
export function createStillRunning(
  say: (line: string) => void = (line) => process.stdout.write(`${line}\n`),
  quiet: number = silence,
): Reporter {
  const running = new Set<string>();
  let tests = 0;
  let files = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function tell(): void {
    say(`still running: ${[...running].join(', ')}; ${tests} tests in ${files} files so far`);
    wait();
  }
  function wait(): void {
    clearTimeout(timer);
    timer = setTimeout(tell, quiet);
    timer.unref();
  }
  const nameOf = ({ moduleId }: TestModule) => relative(process.cwd(), moduleId);

  return {
    onTestRunStart: wait,
    onTestModuleStart(module) {
      running.add(nameOf(module));
    },
    onTestCaseResult(_test: TestCase) {
      tests += 1;
    },
    onTestModuleEnd(module) {
      running.delete(nameOf(module));
      files += 1;
      wait();
    },
    onTestRunEnd() {
      clearTimeout(timer);
    },
  };
}

export default createStillRunning();
