/**
 * A process that keeps Vitest and what it has compiled, and runs test files one after the other, each in a worker of
 * its own. Started by `tests.ts` in the copy of the repo.
 */
import { resolve } from 'node:path';
import { createVitest, type TestCase } from 'vitest/node';
import type { Answer, Question } from './tests.js';

declare module 'vitest' {
  interface ProvidedContext {
    leftOut: number;
    notes: string;
  }
}

const vitest = await createVitest('test', {
  config: 'test/checks/vitest.config.ts',
  watch: false,
  bail: 1,
  maxWorkers: 1,
  hookTimeout: 60_000,
  reporters: [{}],
});
const project = vitest.getRootProject();

async function answer({ path, testIds, leftOut, notes, testTimeout }: Question): Promise<Answer> {
  vitest.provide('leftOut', leftOut);
  vitest.provide('notes', notes);
  project.config.testTimeout = testTimeout;
  // What the run before left is no result of this one.
  vitest.state.filesMap.clear();
  const some = testIds.length > 0 ? { testIds: [...testIds] } : {};
  const specification = project.createSpecification(resolve(path), some);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification]);
  // They come from a worker as objects without a prototype, which have no text of their own.
  const failures = unhandledErrors.map((error) => `outside of tests: ${(error as Error).message}`);
  const note = (name: string, errors: readonly { message: string }[]) => {
    for (const { message } of errors) failures.push(`${name}: ${message.split('\n')[0]}`);
  };
  for (const module of testModules) {
    note(module.relativeModuleId, module.errors());
    for (const suite of module.children.allSuites()) note(suite.fullName, suite.errors());
    for (const test of module.children.allTests()) note(test.fullName, errorsOf(test));
  }
  return { failure: failures[0] };
}

const errorsOf = (test: TestCase) => test.result().errors ?? [];

// The run was interrupted.
process.on('disconnect', () => process.exit());
process.on('message', async (question: Question) => process.send?.(await answer(question)));
process.send?.({ failure: undefined } satisfies Answer);
