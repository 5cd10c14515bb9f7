/** Errors that a test looks at: of the class that is expected, or the test fails. */
import { inspect } from 'node:util';

type ErrorClass<E extends Error> = abstract new (...args: never[]) => E;

function checked<E extends Error>(error: unknown, type: ErrorClass<E>): E {
  if (error instanceof type) return error;
  throw new Error(`expected ${type.name}, got ${error}`, { cause: error });
}

/** The error that an action throws. */
export function thrownBy<E extends Error>(type: ErrorClass<E>, action: () => unknown): E {
  let value: unknown;
  try {
    value = action();
  } catch (error) {
    return checked(error, type);
  }
  throw new Error(`expected ${type.name}, got a value: ${inspect(value)}`);
}

/** The error that work fails with. */
export const rejectionOf = <E extends Error>(
  type: ErrorClass<E>,
  work: Promise<unknown>,
): Promise<E> =>
  work.then(
    (value) => {
      throw new Error(`expected ${type.name}, got a value: ${inspect(value)}`);
    },
    (error) => checked(error, type),
  );
