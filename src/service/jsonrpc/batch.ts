/** The calls of a request: one, or several in a batch, each answered by itself. */
import { hasMoreMarks } from '../http/bodyMarks.js';
import { codes, HttpError } from '../http/httpError.js';
import type { ServiceLimits } from '../limits/limits.js';
import { type CallId, parseBody, parseCall, parseId } from './call.js';
import type { Answer, CallContext, MethodTable } from './method.js';

/** A call that was read, or the reason why it is refused. */
export interface Prepared {
  readonly id: CallId;
  /** Nobody waits for an answer, so the call is not carried out. */
  readonly isNotification: boolean;
  /** Units of work: 1 at least. */
  readonly cost: number;
  /** Storage keys that are asked for. */
  readonly slots: number;
  readonly work: HttpError | ((context: CallContext) => Promise<Answer>);
}

export interface CallBatch {
  /** Whether it came as a single call, and is answered so. */
  readonly isSingle: boolean;
  readonly calls: readonly Prepared[];
  /** Sum over all calls. */
  readonly cost: number;
  /** Sum over all calls. */
  readonly slots: number;
}

const asRefusal = (error: unknown): HttpError => {
  if (error instanceof HttpError) return error;
  throw error;
};

const refused = (id: CallId, work: HttpError): Prepared => ({
  id,
  isNotification: false,
  cost: 1,
  slots: 0,
  work,
});

function prepare(item: unknown, methods: MethodTable): Prepared {
  const id = parseId(item);
  try {
    const { method: name, params, isNotification } = parseCall(item);
    const method = isNotification ? undefined : methods.get(name);
    if (method === undefined) {
      const none = new HttpError(codes.methodNotFound, 'the method is not answered here');
      return { ...refused(id, none), isNotification };
    }
    const call = method.read(params);
    return {
      id,
      isNotification,
      cost: method.cost(call),
      slots: method.slots?.(call) ?? 0,
      work: (context) => method.run(call, context),
    };
  } catch (error) {
    return refused(id, asRefusal(error));
  }
}

/** Refuses each call whose storage keys, with those of the calls before it, are too many for one answer. */
function bound(calls: readonly Prepared[], storageKeys: number): Prepared[] {
  let left = storageKeys;
  return calls.map((call) => {
    if (call.slots > left) {
      const text = `the calls of a batch expected at most ${storageKeys} storage keys together; send fewer at a time`;
      return refused(call.id, new HttpError(codes.limitExceeded, text));
    }
    left -= call.slots;
    return call;
  });
}

const batchOf = (isSingle: boolean, calls: readonly Prepared[]): CallBatch => ({
  isSingle,
  calls,
  cost: calls.reduce((sum, { cost }) => sum + cost, 0),
  slots: calls.reduce((sum, { slots }) => sum + slots, 0),
});

/** Most marks of a body, by the longest that is taken: calls have one every five bytes, short strings one every one or two. */
const mostMarks = ({ bodyBytes }: ServiceLimits): number => Math.ceil(bodyBytes / 3);

/** Reads a body of unknown form. A fault of the body, or of one of its calls, becomes the answer to it. */
export function readBatch(text: string, methods: MethodTable, limits: ServiceLimits): CallBatch {
  const whole = (refusal: HttpError) => batchOf(true, [refused(null, refusal)]);
  if (hasMoreMarks(text, mostMarks(limits))) {
    return whole(
      new HttpError(
        // As most such bodies are no JSON at all.
        codes.parseError,
        'the body has too many values; send the calls of a batch in several',
      ),
    );
  }
  let body: unknown;
  try {
    body = parseBody(text);
  } catch (error) {
    return whole(asRefusal(error));
  }
  if (!Array.isArray(body)) return batchOf(true, [prepare(body, methods)]);
  const { batchCalls } = limits;
  if (body.length === 0 || body.length > batchCalls) {
    return whole(
      new HttpError(
        codes.invalidRequest,
        `a batch expected 1 to ${batchCalls} calls; send several`,
      ),
    );
  }
  const calls = body.map((item) => prepare(item, methods));
  return batchOf(false, bound(calls, limits.storageKeys));
}
