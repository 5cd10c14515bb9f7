#!/usr/bin/env node
/** The command of the package `l2proof`, which finds here all packages that it may need. */
await import(new URL('dist/cli/main.js', import.meta.resolve('l2proof/package.json')).href);
