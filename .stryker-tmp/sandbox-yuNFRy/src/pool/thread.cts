/**
 * What piscina loads in a worker thread: a promise of the function that it calls. CommonJS, because piscina tries
 * `require` before `import`: Node 20 and 22 abort the process when a thread ends while it requires an ES module.
 */
// @ts-nocheck

export = import('./work.js').then(({ work }) => work);
