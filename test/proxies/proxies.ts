/** Real proxies in front of a server, on free ports of the loopback. Each lets only `/v3/` pass. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { newFolder } from '../support/folder.js';
import { freePort } from '../support/postgres.js';
import { until } from '../support/until.js';

export interface Proxy {
  readonly port: number;
  close(): Promise<void>;
}

interface Program {
  readonly path: string;
  /** The package of Debian that has it. */
  readonly from: string;
  /** @returns the text of its file */
  configure(ports: { own: number; server: number }, folder: string): string;
  /** @param file of its configuration */
  argsFor(file: string, folder: string): string[];
}

/** It compares the path as it was sent. */
const haproxy: Program = {
  path: '/usr/sbin/haproxy',
  from: 'haproxy',
  configure: ({ own, server }) => `
global
  maxconn 1000
defaults
  mode http
  timeout connect 30s
  timeout client 120s
  timeout server 120s
frontend clients
  bind 127.0.0.1:${own}
  http-request deny deny_status 404 unless { path_beg /v3/ }
  default_backend proofs
backend proofs
  server one 127.0.0.1:${server}
`,
  argsFor: (file) => ['-db', '-f', file],
};

/** @param lines inside of `http { }` */
const nginxWith = (lines: (ports: { own: number; server: number }) => string): Program => ({
  path: '/usr/sbin/nginx',
  from: 'nginx-light',
  configure: (ports, folder) => `
daemon off;
master_process off;
pid ${folder}/pid;
error_log stderr error;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
${lines(ports)}
}
`,
  argsFor: (file, folder) => ['-e', 'stderr', '-p', folder, '-c', file],
});

/** It compares the path with its dots resolved. @param pass what it passes on: a URL with a path takes that path's place */
const nginx = (pass: string): Program =>
  nginxWith(
    ({ own, server }) => `
  upstream proofs {
    server 127.0.0.1:${server};
    keepalive 16;
    keepalive_timeout 4s;
  }
  server {
    listen 127.0.0.1:${own};
    location /v3/ {
      proxy_pass ${pass};
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_read_timeout 120s;
    }
    location / {
      return 404;
    }
  }`,
  );

/** It serves files. @param lines inside of `server { }` */
export const staticNginx = (lines: string): Program =>
  nginxWith(
    ({ own }) => `
  include /etc/nginx/mime.types;
  server {
    listen 127.0.0.1:${own};
    ${lines}
  }`,
  );

export const programs: Readonly<Record<string, Program>> = {
  HAProxy: haproxy,
  'nginx, which passes the path on as it was sent': nginx('http://proofs'),
  'nginx, which passes on what it made of the path': nginx('http://proofs/v3/'),
  'nginx, told to pass on the target': nginx('http://proofs$request_uri'),
};

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

/** @param server the port that it passes requests on to */
export async function startProxy(
  { path, from, configure, argsFor }: Program,
  server: number,
): Promise<Proxy> {
  if (!existsSync(path)) {
    throw new Error(
      `these tests need ${from}; run: apt-get update && apt-get install -y --no-install-recommends ${from}`,
    );
  }
  const folder = newFolder();
  const own = await freePort();
  const file = join(folder, 'proxy.conf');
  writeFileSync(file, configure({ own, server }, folder));
  const child = spawn(path, argsFor(file, folder), { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  let said = '';
  child.stderr.on('data', (text) => {
    said = `${said}${text}`.slice(-4000);
  });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${from} ended: ${said}`);
    return answers(own);
  }, `${from} listens`);
  return {
    port: own,
    async close() {
      child.kill('SIGTERM');
      // HAProxy waits for its clients after SIGTERM, and nginx ends.
      child.kill('SIGINT');
      await ended;
    },
  };
}
