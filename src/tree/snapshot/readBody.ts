/** Reads the leaves of a snapshot, and builds the state that they make (docs/snapshot.md). */
import { accountWidth, type TreeSpec } from '../../codec/spec.js';
import { indexLimit } from '../../codec/word.js';
import { blockWidth } from '../../hash/family.js';
import { accountTree } from '../layout/layout.js';
import type { LeafLinks, TreeHead } from '../load/leafBatch.js';
import { StateBuilder } from '../load/stateBuilder.js';
import type { StateSpills } from '../load/stateSpills.js';
import { leavesPerTurn, type Stage } from '../load/work.js';
import { firstFreeNode } from '../nodes/leaves.js';
import type { EmptyTree } from '../nodes/nodes.js';
import { AccountForm, kindLimit, withStorage } from './accountForm.js';
import { type BodyReader, malformed } from './bodyReader.js';
import type { SnapshotHeader } from './header.js';
import type { LinkCheck } from './links.js';

/** The parts that take the leaves which are read. */
interface Target {
  readonly links: LinkCheck;
  /** Undefined: only the root is wanted. */
  readonly spills: StateSpills | undefined;
  readonly stage: Stage;
}

/** The state of one reading of a body. */
export class SnapshotBody {
  readonly #reader: BodyReader;
  readonly #header: SnapshotHeader;
  readonly #spec: TreeSpec;
  readonly #form: AccountForm;
  readonly #target: Target;
  readonly #value = new Uint8Array(accountWidth);
  readonly #word = new Uint8Array(blockWidth);
  #places = 0;
  #trees = 0;
  #accounts = 0;
  #done = 0;
  /** Slots so far. */
  slots = 0;

  constructor(reader: BodyReader, header: SnapshotHeader, { spec }: EmptyTree, target: Target) {
    this.#reader = reader;
    this.#header = header;
    this.#spec = spec;
    this.#form = new AccountForm(spec);
    this.#target = target;
  }

  /**
   * Reads all of it.
   *
   * @returns the state root, 32 bytes
   * @throws TreeError `BAD_SNAPSHOT`
   */
  async read(empty: EmptyTree): Promise<Uint8Array> {
    const reader = this.#reader;
    await reader.fill();
    const head = this.#readHead(accountTree);
    const builder = new StateBuilder(empty, head, this.#target.spills);
    await this.#readLeaves(builder, head, {
      addHoles: (count) => builder.addAccountHoles(count),
      readLeaf: (index) => this.#readAccount(builder, index),
    });
    await reader.fill();
    if (!reader.isOver) throw malformed('bytes follow the last account');
    const { places, trees, accounts } = this.#header;
    if (this.#places !== places || this.#trees !== trees || this.#accounts !== accounts) {
      throw malformed('it holds less than its header says');
    }
    await builder.drain();
    return builder.finish();
  }

  /** Reads the first and the last leaf of a tree's list. */
  #readHead(tree: number): TreeHead {
    const reader = this.#reader;
    const nextFreeNode = reader.number();
    const least = tree === accountTree ? firstFreeNode : firstFreeNode + 1;
    if (nextFreeNode < least || nextFreeNode > Number(indexLimit)) {
      throw malformed(`tree ${tree} has a next free node of ${nextFreeNode}`);
    }
    // Before any work on the tree: this bounds all of it.
    this.#places += nextFreeNode;
    if (this.#places > this.#header.places) throw malformed('it holds more than its header says');
    const head = { tree, nextFreeNode, first: reader.number(), last: reader.number() };
    this.#target.links.addTree(head);
    return head;
  }

  /** Reads the leaves of a tree with the holes between them. */
  async #readLeaves(
    builder: StateBuilder,
    { nextFreeNode }: TreeHead,
    {
      addHoles,
      readLeaf,
    }: {
      addHoles: (count: number) => void;
      readLeaf: (index: number) => Promise<void> | undefined;
    },
  ): Promise<void> {
    for (let index = firstFreeNode; index < nextFreeNode; index++) {
      if (!this.#reader.isReady) await this.#reader.fill();
      const gap = this.#reader.number();
      if (index + gap > nextFreeNode) throw malformed('a leaf stands behind the next free node');
      for (let rest = gap; rest > 0; rest -= leavesPerTurn) {
        addHoles(Math.min(rest, leavesPerTurn));
        if (gap >= leavesPerTurn) await this.#turn(builder, leavesPerTurn);
      }
      index += gap;
      if (index === nextFreeNode) break;
      const wait = readLeaf(index);
      if (wait) await wait;
      this.#done++;
      if (this.#done % leavesPerTurn === 0) await this.#turn(builder, 0);
    }
  }

  async #turn(builder: StateBuilder, holes: number): Promise<void> {
    this.#done += holes;
    await builder.drain();
    await this.#target.links.drain();
    await this.#target.stage.turn(this.#done);
  }

  #readPlace(index: number): LeafLinks {
    return { index, prev: this.#reader.number(), next: this.#reader.number() };
  }

  #readHKey(): Uint8Array {
    const hKey = this.#reader.take(blockWidth);
    if (!this.#spec.hasher.isCanonical(hKey)) throw malformed('an hKey is not canonical');
    return hKey;
  }

  #readAccount(builder: StateBuilder, index: number): Promise<void> | undefined {
    const kind = this.#reader.byte();
    if (kind >= kindLimit || kind % withStorage > 2) throw malformed(`no account has kind ${kind}`);
    this.#accounts++;
    if (kind >= withStorage) {
      return this.#readStorage(builder, index).then(() => this.#readValue(builder, index, kind));
    }
    this.#readValue(builder, index, kind);
    return undefined;
  }

  #readValue(builder: StateBuilder, index: number, kind: number): void {
    const place = this.#readPlace(index);
    const hKey = this.#readHKey();
    this.#form.read(this.#reader, kind, this.#value);
    builder.addAccount(place, hKey, this.#value);
    this.#target.links.addLeaf(accountTree, place, hKey);
  }

  async #readStorage(builder: StateBuilder, tree: number): Promise<void> {
    const head = this.#readHead(tree);
    this.#trees++;
    builder.openStorage(head);
    await this.#readLeaves(builder, head, {
      addHoles: (count) => builder.addSlotHoles(count),
      readLeaf: (index) => this.#readSlot(builder, tree, index),
    });
    await this.#reader.fill();
  }

  #readSlot(builder: StateBuilder, tree: number, index: number): undefined {
    const place = this.#readPlace(index);
    const hKey = this.#readHKey();
    this.#word.fill(0);
    if (this.#reader.integer(blockWidth, this.#word, blockWidth) === 0) {
      throw malformed('a slot is zero, which has no leaf');
    }
    builder.addSlot(place, hKey, this.#word);
    this.#target.links.addLeaf(tree, place, hKey);
    this.slots++;
  }
}
