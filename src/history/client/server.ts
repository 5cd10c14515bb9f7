/** The server that is asked. Nothing that it says is believed. */
import type { NodeClient } from '../../rpc/nodeClient.js';
import { HistoryError } from '../verify/errors.js';

/** Asks it, until the signal is aborted. */
export type AskServer = (signal: AbortSignal | undefined) => NodeClient;

/** The server says that it lacks what is proven to be there. */
export const heldBack = (what: string, number: number): HistoryError =>
  new HistoryError(
    'BLOCK_HELD_BACK',
    `the server has no ${what} ${number}, which is proven to be there; ask another`,
  );
