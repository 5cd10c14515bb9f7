/** Why there is no document. */

/** Ends the fetching or reading of one document. Its message names no URL. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}

/** One host is asked for so much that its turn would come too late. */
export class HostBusyError extends Error {
  override readonly name = 'HostBusyError';
}
