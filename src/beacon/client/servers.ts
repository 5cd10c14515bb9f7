/** Several servers, none of which is trusted: those that lied or do not answer are asked less often. */
import { ConsensusError } from '../verify/errors.js';
import type { BeaconServer } from './server.js';

/** The record of a server. */
export interface ServerReport {
  /** Place in the list of servers, from 1. */
  readonly place: number;
  /** How often it answered something that breaks a law. */
  readonly lies: number;
  /** Its last lie, or else its last failure. */
  readonly error: ConsensusError | undefined;
}

/** After so many lies, or silent rounds, it is asked no less often than before. */
const mostLies = 6;
const mostSilences = 3;

/** Codes of a server that does not answer. */
const silent: readonly string[] = ['NO_ANSWER', 'NO_ROUTES', 'BLOCKED'];

/** Codes of what a server may say in good faith: it is behind, or ahead of us; or it said nothing. */
const goodFaith: readonly string[] = [
  ...['NOT_NEWER', 'FUTURE_SLOT', 'WRONG_PERIOD', 'NO_BOOTSTRAP'],
  ...silent,
];

interface Entry {
  readonly server: BeaconServer;
  lies: number;
  /** Failures to answer since it answered last. */
  silences: number;
  /** Rounds for which it is left alone. */
  rest: number;
  error: ConsensusError | undefined;
}

/** With each lie or silence it is left alone for twice as long. */
const restOf = ({ lies, silences }: Entry): number =>
  2 ** Math.max(Math.min(lies, mostLies), Math.min(silences, mostSilences)) - 1;

export class Servers {
  readonly #entries: readonly Entry[];

  constructor(servers: readonly BeaconServer[]) {
    const entry = { lies: 0, silences: 0, rest: 0, error: undefined };
    this.#entries = servers.map((server) => ({ server, ...entry }));
  }

  /** Those to ask in a round, the most honest first. If all of them would be left alone, all are asked. */
  nextRound(): BeaconServer[] {
    const due = this.#entries.filter((entry) => entry.rest === 0);
    for (const entry of this.#entries) entry.rest = Math.max(0, entry.rest - 1);
    const asked = due.length > 0 ? due : [...this.#entries];
    for (const entry of asked) entry.rest = restOf(entry);
    return asked
      .sort((a, b) => a.lies - b.lies || a.silences - b.silences)
      .map(({ server }) => server);
  }

  /** Notes an answer that holds. */
  heard({ place }: BeaconServer): void {
    const entry = this.#entryOf(place);
    entry.silences = 0;
    entry.rest = restOf(entry);
  }

  /** Notes a failure, which is returned with the place of the server, if there are several. */
  blame({ place }: BeaconServer, failure: ConsensusError): ConsensusError {
    const entry = this.#entryOf(place);
    const isOne = this.#entries.length === 1;
    const { code, reason, path, cause } = failure;
    const words = path === undefined || path === '' ? reason : `"${path}" ${reason}`;
    const error = isOne
      ? failure
      : new ConsensusError(code, `server ${place}: ${words}`, { path, cause });
    const isLie = !goodFaith.includes(code);
    if (isLie || entry.lies === 0) entry.error = error;
    if (isLie) entry.lies += 1;
    entry.silences = silent.includes(code) ? entry.silences + 1 : 0;
    entry.rest = restOf(entry);
    return error;
  }

  report(): ServerReport[] {
    return this.#entries.map(({ server: { place }, lies, error }) => ({ place, lies, error }));
  }

  #entryOf(place: number): Entry {
    return this.#entries[place - 1] as Entry;
  }
}
