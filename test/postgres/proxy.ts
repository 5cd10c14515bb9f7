/** A wire between the store and its server that counts round trips, and can be cut. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Splits a stream into messages: a letter, a length, a body. A client's first one has no letter. */
function messages(hasLetterFirst: boolean, tell: (letter: string, body: Buffer) => void) {
  let rest = Buffer.alloc(0);
  let hasLetter = hasLetterFirst;
  return (data: Buffer): void => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const head = hasLetter ? 1 : 0;
      if (rest.length < head + 4) return;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return;
      tell(hasLetter ? String.fromCharCode(rest[0] as number) : '', rest.subarray(head + 4, end));
      rest = rest.subarray(end);
      hasLetter = true;
    }
  };
}

/** What only the renewal of a lease says, a new connection, and the end of a transaction that nobody waits for. */
const background = [/AND until >= now\(\) RETURNING id/, /SET plan_cache_mode/, /^COMMIT\0$/];

/** Bytes at the beginning of a message among which those words are. */
const headWidth = 1024;

export interface Wire {
  /** URL of the server behind it. */
  readonly url: string;
  /**
   * Times that a client said something while it had the answers to all that it had said before; not
   * counted: the greeting and the settings of a new connection, renewals of the lease, and what ends a transaction
   * alone.
   */
  trips: number;
  /** Statements that the clients have sent. */
  statements: number;
  /** Cuts a connection when a message comes whose text has the word in it, which is not let through. */
  cutAt: { from: 'client' | 'server'; word: string } | undefined;
  /** Cuts all connections. */
  cut(): void;
  close(): Promise<void>;
}

/**
 * @param url of the server
 * @param options.delay ms that an answer takes more: what is said in one breath may come in pieces, the last of them
 *   after the server's first answers. Default none
 */
export async function openWire(url: string, { delay = 0 } = {}): Promise<Wire> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const listener = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    const pair = [client, server];
    const cut = () => {
      for (const one of pair) {
        one.destroy();
        sockets.delete(one);
      }
    };
    for (const one of pair) {
      one.setNoDelay(true);
      sockets.add(one);
      one.on('error', cut);
      one.on('close', cut);
    }
    /** Whether the client has been let in. */
    let isIn = false;
    /** Answers that the client waits for, and whether each counts. */
    const pending: boolean[] = [];
    const isCut = (from: 'client' | 'server', body: Buffer): boolean => {
      if (wire.cutAt?.from !== from || !body.includes(wire.cutAt.word)) return false;
      wire.cutAt = undefined;
      cut();
      return true;
    };
    /** Whether it was cut. */
    let isOver = false;
    /** Whether the client is in the middle of a statement, and whether that counts. */
    let isSpeaking = false;
    let counts = false;
    const fromClient = messages(false, (letter, body) => {
      isOver ||= isCut('client', body);
      if (!isIn || letter === 'X') return;
      if (!isSpeaking) {
        const head = body.subarray(0, headWidth).toString('latin1');
        counts = !background.some((words) => words.test(head));
        if (counts && !pending.includes(true)) wire.trips++;
      }
      if (letter === 'B' || letter === 'Q') wire.statements++;
      // Sync and a simple query are each answered that the server is ready.
      isSpeaking = letter !== 'S' && letter !== 'Q';
      if (!isSpeaking) pending.push(counts);
    });
    const fromServer = messages(true, (letter, body) => {
      isOver ||= isCut('server', body);
      if (letter !== 'Z') return;
      // The first one lets the client in.
      if (isIn) pending.shift();
      isIn = true;
    });
    client.on('data', (data) => {
      fromClient(data);
      if (!isOver) server.write(data);
    });
    const answer = (data: Buffer) => {
      fromServer(data);
      if (!isOver) client.write(data);
    };
    server.on('data', (data) => {
      if (delay > 0) setTimeout(answer, delay, data);
      else answer(data);
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as { port: number };
  const through = new URL(url);
  through.port = String(port);
  const wire: Wire = {
    url: through.href,
    trips: 0,
    statements: 0,
    cutAt: undefined,
    cut() {
      for (const one of sockets) one.destroy();
    },
    async close() {
      wire.cut();
      listener.close();
      await once(listener, 'close');
    },
  };
  return wire;
}
