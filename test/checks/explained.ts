/** Checks that no test can notice, and why each of them stays. */
export const explained: readonly { path: string; text: string; why: string }[] = [
  {
    path: 'src/evm/engine/callRunner.ts',
    text: 'if (header.refusal) throw new RunStopped();',
    why: 'the EVM package of today lets no contract catch what ends a run; if one does, this ends the run at the next step',
  },
  {
    path: 'src/mpt/path.ts',
    text: 'reference !== root',
    why: 'a well-formed root node has 32 bytes or more, since keys have 64 nibbles; the message to a malformed one stays right',
  },
  ...['proof === null', 'hashed === undefined'].map((text) => ({
    path: 'src/verify/result.ts',
    text,
    why: 'a slot has a proof exactly if that proof was hashed; the types cannot say so',
  })),
  {
    path: 'src/evm/precompiles/kzg.ts',
    text: 'if (value >= bls12_381.fields.Fr.ORDER) throw badInput();',
    why: 'the package for curves takes no such scalar either; that it does not is no promise of its own',
  },
  {
    path: 'src/service/limits/keys.ts',
    text: 'if (!keyForm.test(key)) return undefined;',
    why: 'no other text has the digest of a key; it saves the work of hashing a long one',
  },
  {
    path: 'src/history/client/logs.ts',
    text: 'if (count > maxLogs) { const text = `more than ${maxLogs} logs match; ask for fewer blocks, or name ',
    why: 'a million logs take a gigabyte, which no test has; it keeps a process from running out of memory',
  },
];
