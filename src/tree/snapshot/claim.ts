/** Reads what a snapshot claims, and no further. */
import { BodyReader } from './bodyReader.js';
import { readSnapshotChunks } from './chunks.js';
import { decodeHeader, headerWidth, type SnapshotClaim, toSnapshotClaim } from './header.js';
import type { SnapshotBytes } from './importSnapshot.js';

/**
 * Reads the header of a snapshot, from its first MiB. The checksum of that is checked; nothing is verified: anyone can
 * write a file that claims this.
 *
 * @throws TreeError `BAD_SNAPSHOT`; what reading the file throws
 */
export async function readSnapshotClaim(file: SnapshotBytes): Promise<SnapshotClaim> {
  const reader = new BodyReader(readSnapshotChunks(file));
  try {
    await reader.fill();
    return toSnapshotClaim(decodeHeader(reader.take(headerWidth)));
  } finally {
    await reader.close();
  }
}
