/**
 * The storage roots that each account goes through (docs/protocol.md section 7.7): its storage traces in a block lead
 * from one storage root in the account's own value to the next. Without this check the traces of a storage tree would
 * be true of some tree, but not of the account's.
 */
import { encodeHex, equalBytes } from '../bytes.js';
import { hashTopNode } from '../codec/node.js';
import type { TreeSpec } from '../codec/spec.js';
import { VerificationError } from '../errors.js';
import { type Trace, type TreeKind, worldLocation } from './types.js';

/** Storage traces of one account, without a trace of the account itself between them. */
interface Segment {
  readonly first: Trace;
  last: Trace;
  /** The first of them that writes. */
  write: Trace | undefined;
}

/** The storage roots of an account before and after a trace of it; a deleted account has no root afterwards. */
function storageRootsOf(
  { emptyRoot }: TreeSpec,
  storageRootOf: NonNullable<TreeKind['storageRootOf']>,
  { statement }: Trace,
): { before: Uint8Array; after: Uint8Array | undefined } {
  switch (statement.kind) {
    case 'read': {
      const root = storageRootOf(statement.value);
      return { before: root, after: root };
    }
    // An account that does not exist has no slots.
    case 'readZero':
      return { before: emptyRoot, after: emptyRoot };
    case 'insert':
      return { before: emptyRoot, after: storageRootOf(statement.value) };
    case 'update':
      return {
        before: storageRootOf(statement.oldValue),
        after: storageRootOf(statement.newValue),
      };
    case 'delete':
      return { before: storageRootOf(statement.oldValue), after: undefined };
  }
}

function fault(at: string, message: string): VerificationError {
  return new VerificationError('STORAGE_TIE', at, message);
}

/** Checks the traces of one block, in order. */
interface StorageRootCheck {
  /** Takes the next trace of the block. @throws VerificationError `STORAGE_TIE` */
  check(trace: Trace): void;
  /**
   * Takes the end of the block.
   *
   * @throws VerificationError `STORAGE_TIE`, `STORAGE_WITHOUT_ACCOUNT` or `WRITE_AFTER_ACCOUNT`
   */
  end(): void;
}

/** Opens the check of one block. */
export function createStorageRootCheck(spec: TreeSpec): StorageRootCheck {
  /** By address: the storage traces since the last trace of the account. */
  const segments = new Map<string, Segment>();
  /** By address: the storage root that the last trace of the account left. */
  const leftRoots = new Map<string, Uint8Array>();

  function addStorageTrace(trace: Trace): void {
    const segment = segments.get(trace.location);
    const write = trace.before === trace.after ? undefined : trace;
    if (segment === undefined) {
      segments.set(trace.location, { first: trace, last: trace, write });
    } else {
      segment.last = trace;
      segment.write ??= write;
    }
  }

  function checkStart({ first }: Segment, root: Uint8Array): void {
    if (!equalBytes(hashTopNode(spec, first.before), root)) {
      throw fault(first.at, "expected the storage tree under the account's storage root");
    }
  }

  function checkAccountTrace(
    trace: Trace,
    storageRootOf: NonNullable<TreeKind['storageRootOf']>,
  ): void {
    const address = encodeHex(trace.key);
    const { before, after } = storageRootsOf(spec, storageRootOf, trace);
    const segment = segments.get(address);
    if (segment !== undefined) checkStart(segment, before);
    if (after !== undefined) {
      const reached = segment === undefined ? before : hashTopNode(spec, segment.last.after);
      if (!equalBytes(reached, after)) {
        throw fault(trace.at, 'expected the storage root that the storage traces before it left');
      }
    }
    segments.delete(address);
    leftRoots.set(address, after ?? spec.emptyRoot);
  }

  return {
    check(trace) {
      if (trace.location !== worldLocation) return addStorageTrace(trace);
      const { storageRootOf } = trace.kind;
      /* v8 ignore else -- @preserve: only the public system's own test trees hold no accounts */
      if (storageRootOf !== undefined) checkAccountTrace(trace, storageRootOf);
    },
    end() {
      for (const [address, segment] of segments) {
        const root = leftRoots.get(address);
        if (root === undefined) {
          throw new VerificationError(
            'STORAGE_WITHOUT_ACCOUNT',
            segment.first.at,
            "expected a trace of the storage tree's account in the same block",
          );
        }
        if (segment.write !== undefined) {
          throw new VerificationError(
            'WRITE_AFTER_ACCOUNT',
            segment.write.at,
            "expected no change of storage after the block's last trace of the account",
          );
        }
        checkStart(segment, root);
      }
    },
  };
}
