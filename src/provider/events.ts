/** Events as EIP-1193 has them. */

/** A request that was passed on, or whose answer is not proven. */
export interface UnprovenRequest {
  /** The JSON-RPC method. */
  readonly method: string;
  /** As they were passed on. */
  readonly params: unknown;
  /** `absence` alone if it was not passed on, but what the server says not to have was answered as null. */
  readonly assumed?: readonly string[];
}

export type Listener = (payload: never) => void;

interface Events {
  on(event: string, listener: Listener): void;
  removeListener(event: string, listener: Listener): void;
  emit(event: string, payload: unknown): void;
}

export function createEvents(): Events {
  const listeners = new Map<string, readonly Listener[]>();
  const of = (event: string) => listeners.get(event) ?? [];
  return {
    on(event, listener) {
      if (typeof listener !== 'function') throw new TypeError('"listener" expected a function');
      listeners.set(event, [...of(event), listener]);
    },
    removeListener(event, listener) {
      const at = of(event).lastIndexOf(listener);
      listeners.set(
        event,
        of(event).filter((_, i) => i !== at),
      );
    },
    emit(event, payload) {
      // In a turn of its own: what a listener throws is its own fault, and no answer's.
      for (const listener of of(event)) queueMicrotask(() => listener(payload as never));
    },
  };
}
