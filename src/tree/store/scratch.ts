/** Temporary files of a long load: beside the store, or in memory. */

/** Bytes that only grow, and are read in pieces. */
export interface ScratchFile {
  /** Adds bytes at the end. They may be changed once the promise resolves. */
  append(bytes: Uint8Array): Promise<void>;
  /** Fills a piece of memory from an offset on. @param into no longer than what follows the offset */
  read(offset: number, into: Uint8Array): Promise<void>;
  /** Gives its room back; it is not used afterwards. */
  delete(): Promise<void>;
}

/** Makes such files. Their errors end the load and come out as they are. */
export interface Scratch {
  /** Makes an empty file. */
  create(): Promise<ScratchFile>;
  /** Gives all room back, also of files that were not deleted. */
  close(): Promise<void>;
}

/** Files in memory, for stores that name no other place. */
export function memoryScratch(): Scratch {
  return {
    async create() {
      let parts: { from: number; bytes: Uint8Array }[] = [];
      let length = 0;
      return {
        async append(bytes) {
          parts.push({ from: length, bytes: bytes.slice() });
          length += bytes.length;
        },
        async read(offset, into) {
          for (const { from, bytes } of parts) {
            const [start, end] = [
              Math.max(from, offset),
              Math.min(from + bytes.length, offset + into.length),
            ];
            if (start < end) into.set(bytes.subarray(start - from, end - from), start - offset);
          }
        },
        async delete() {
          parts = [];
        },
      };
    },
    async close() {},
  };
}
