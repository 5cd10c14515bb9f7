/** How the commands are used that open no store. */
import { anchorPeers, callPeers, provingPeers, proxyPeers } from '../exit/needs.js';
import { fetchFlags, proxyFlags } from '../flags/askFlags.js';
import { calldataFlags, messageFlags } from '../flags/bridgeFlags.js';
import {
  activityFlags,
  allowancesFlags,
  balancesFlags,
  holdersFlags,
  nftsFlags,
  portfolioFlags,
  transactionsFlags,
  transfersFlags,
} from '../flags/dataFlags.js';
import { blockFlags, decodeFlags, logsFlags, txFlags } from '../flags/historyFlags.js';
import { compactFlags, explainFlags, linesFlags, verifyFlags } from '../flags/verifyFlags.js';
import type { Page } from './page.js';

const historyExits =
  '0 verified, 1 something did not verify, or the L1 endpoints disagree; 2 an answer was malformed; 3 usage, a file, or a block beyond a limit; 4 could not find out: no endpoint answered, or the server has no such thing, which nothing proves, or not yet under a root on L1.';

const listExits =
  '0 answered, 2 malformed answer, 3 usage, or the server refuses the key or the question, 4 could not find out.';

/** The same of a list that can be verified. */
const provenListExits = listExits.replace('0 answered, ', '0 answered, 1 not verified, ');

export const answerPages = {
  verify: {
    summary: 'Verifies a saved answer, or many, under a root that you trust',
    forms: [
      'verify [FILE|-] --root HEX|FILE --address ADDRESS [--slot SLOT ...] [flags]',
      'verify [FILE|-] --block-hash HEX --address ADDRESS [--slot SLOT ...] [flags]',
      'verify --ndjson [FILE|-] [flags]',
    ],
    operands: {
      FILE: 'result of l2_getProof, the whole JSON-RPC answer, or a compact proof, as bytes or hex; also with the headers that curl -i prints; - or nothing: standard input',
    },
    flags: { ...verifyFlags, ...linesFlags },
    example: 'verify answer.json --root 0xROOT --address 0xADDRESS --slot 0xSLOT',
    needs: [[anchorPeers, 'for --block-hash']],
    exits:
      '0 verified, 1 not verified, 2 malformed answer, 3 usage or I/O, 4 could not find out: a thread of --jobs or the command itself failed, or a disk is full. Of many lines: 1 if any is not verified, else 2 if any is malformed.',
  },
  explain: {
    summary: 'Shows what a saved answer says, and what each law compares',
    note: 'It shows the path from each leaf to the root, the neighbours of a key that is absent, and both sides of each law; of an answer that is refused, the place at which it breaks. Levels beside empty siblings are folded.',
    forms: ['explain [FILE|-] --root HEX|FILE --address ADDRESS [--slot SLOT ...] [flags]'],
    operands: {
      FILE: 'result of l2_getProof, the whole JSON-RPC answer, or a compact proof, as bytes or hex; also with the headers that curl -i prints; - or nothing: standard input',
    },
    flags: explainFlags,
    example: 'explain answer.json --root 0xROOT --address 0xADDRESS --slot 0xSLOT',
    needs: [],
    exits: '0 verified, 1 not verified, 2 malformed answer, 3 usage or I/O.',
  },
  fetch: {
    summary: 'Asks for an account, and proves it from a root that L1 holds',
    forms: [
      'fetch --address ADDRESS [--slot SLOT ...] --l2 URL --l1 URL --network NAME|FILE [flags]',
    ],
    flags: fetchFlags,
    example: 'fetch --network mainnet --address 0xADDRESS --l2 URL --l1 URL',
    needs: [[anchorPeers]],
    exits:
      '0 verified, 1 something did not verify, or the L1 endpoints disagree; 2 an answer was malformed; 3 usage or a file; 4 could not find out: no endpoint answered, or none holds a block that L1 has finalized; or the disk is full.',
  },
  compact: {
    summary: 'Writes a saved answer as a compact proof',
    note: 'The answer is verified first.',
    forms: [
      'compact [FILE|-] --out FILE --root HEX|FILE --address ADDRESS [--slot SLOT ...] [flags]',
    ],
    operands: {
      FILE: 'result of l2_getProof, or the whole JSON-RPC answer, also with the headers that curl -i prints; - or nothing: standard input',
    },
    flags: compactFlags,
    example: 'compact answer.json --out proof.bin --root 0xROOT --address 0xADDRESS',
    needs: [],
    exits: '0 written, 1 not verified, 2 malformed answer, 3 usage or I/O, 4 the disk is full.',
  },
  calldata: {
    summary: 'Shows a saved answer as calls of the path verifier on L1',
    note: 'The answer is verified first. The contract that makes the calls must make the checks, too: docs/bridge.md has an example.',
    forms: ['calldata [FILE|-] --root HEX|FILE --address ADDRESS [--slot SLOT ...] [flags]'],
    operands: {
      FILE: 'result of l2_getProof, or the whole JSON-RPC answer, also with the headers that curl -i prints; - or nothing: standard input',
    },
    flags: calldataFlags,
    example: 'calldata answer.json --root 0xROOT --address 0xADDRESS --json',
    needs: [],
    exits: '0 verified, 1 not verified, 2 malformed answer, 3 usage or I/O.',
  },
  message: {
    summary: 'Shows what has become of a message from L2 to L1, and claims it',
    note: 'One proof of the rollup contract on L1 decides. A message can be claimed once its L2 block is finalized, which happens about every two hours.',
    forms: ['message HASH|TX --l2 URL --l1 URL --network NAME|FILE [flags]'],
    operands: {
      'HASH|TX': 'hash of the message, or of the transaction on L2 that sent it, 32 bytes',
    },
    flags: messageFlags,
    example: 'message 0xHASH --network mainnet --l2 URL --l1 URL --calldata',
    needs: [[anchorPeers]],
    exits:
      '0 claimable, claimed, or proven that there is no such message; 1 something did not verify, or the L1 endpoints disagree; 2 an answer was malformed; 3 usage, a file, or blocks beyond a limit; 4 could not find out: not finalized yet, no endpoint answered, or the L2 node has no such message, which nothing proves.',
  },
  proxy: {
    summary: 'Answers wallets and tools with proven state, at a local URL',
    note: 'It takes JSON-RPC: balances, nonces, storage and code are proven, or refused. On a terminal it prints a line for each request.',
    forms: ['proxy --l2 URL --l1 URL --network NAME|FILE [flags]'],
    flags: proxyFlags,
    example: 'proxy --network mainnet --l2 URL --l1 URL --passthrough send',
    needs: [[proxyPeers], [callPeers, 'calls of contracts']],
    exits: '0 ended by a signal, 3 usage, a file or the port.',
  },
  tx: {
    summary: 'Shows a transaction and its receipt, proven',
    note: 'Transactions of blocks before the one that L1 has finalized. That there is no such transaction is never proven.',
    forms: ['tx TX --l2 URL --l1 URL --network NAME|FILE [flags]'],
    operands: { TX: 'hash of the transaction, 32 bytes' },
    flags: txFlags,
    example: 'tx 0xHASH --network mainnet --l2 URL --l1 URL',
    needs: [[anchorPeers]],
    exits: historyExits,
  },
  block: {
    summary: 'Shows a block with the hashes of its transactions, proven',
    note: 'Blocks before the one that L1 has finalized; latest is the newest of them.',
    forms: ['block BLOCK --l2 URL --l1 URL --network NAME|FILE [flags]'],
    operands: {
      BLOCK:
        'number of the block, also in hex; or its hash, 32 bytes; or latest, safe, finalized or earliest',
    },
    flags: blockFlags,
    example: 'block latest --network mainnet --l2 URL --l1 URL',
    needs: [[anchorPeers]],
    exits: historyExits,
  },
  logs: {
    summary: 'Shows the logs of blocks, proven, with none left out',
    note: 'Of blocks before the one that L1 has finalized. All headers of the range are read, and the receipts of each block that may have such a log.',
    forms: [
      'logs [--address ADDRESS] [--topic TOPIC ...] [--from BLOCK] [--to BLOCK] --l2 URL --l1 URL --network NAME|FILE [flags]',
    ],
    flags: logsFlags,
    example: 'logs --from 100 --to 200 --network mainnet --l2 URL --l1 URL',
    needs: [[anchorPeers]],
    exits: historyExits,
  },
  decode: {
    summary: 'Shows what happened in a transaction',
    note: "Who transferred, approved, swapped what. Without --prove the node is believed. With it, each event says that it is proven, and what a contract did not prove to say of itself is named on standard error and left out; a token's name is its author's choice.",
    forms: [
      'decode TX --l2 URL [flags]',
      'decode TX --l2 URL --prove --l1 URL --network NAME|FILE [flags]',
    ],
    operands: { TX: 'hash of the transaction, 32 bytes' },
    flags: decodeFlags,
    example: 'decode 0xHASH --l2 http://127.0.0.1:8545',
    needs: [[['viem']], [provingPeers, '--prove']],
    exits:
      '0 decoded, 1 not verified, 2 malformed answer, 3 usage or a file, 4 could not find out: the node does not answer, or has no such transaction.',
  },
  balances: {
    summary: 'Shows what a wallet holds',
    note: "Without --prove the server is believed. With it, items that the server cannot prove are named on standard error and left out, and whether others are left out is not proven. Amounts are then written with proven decimals, or in smallest units; names and quotes are the server's. A list of more than 1,024 pages is cut.",
    forms: [
      'balances --address ADDRESS --url URL --chain NAME [flags]',
      'balances --address ADDRESS --url URL --chain NAME --prove --network NAME|FILE (--l1 URL | --root HEX|FILE --block N) [flags]',
    ],
    flags: balancesFlags,
    example: 'balances --address 0xADDRESS --chain linea-mainnet --url URL',
    needs: [[['zod']], [provingPeers, '--prove']],
    exits:
      '0 answered, 1 not verified, 2 malformed answer, 3 usage, or the server refuses the key or the question, 4 could not find out, or the list is cut.',
  },
  transactions: {
    summary: 'Shows the transactions of a wallet, the newest first',
    note: 'Without --prove the server is believed. With --prove, what it cannot prove is named on standard error and left out, and a line says what is assumed. A wallet has a part in a transaction that it sent or received, that created it, that moved a token of it, or in which it approved something.',
    forms: [
      'transactions ADDRESS --url URL --chain NAME [flags]',
      'transactions ADDRESS --url URL --chain NAME --prove --network NAME|FILE (--l1 URL | --root HEX|FILE --block N) [flags]',
    ],
    operands: { ADDRESS: 'the wallet' },
    flags: transactionsFlags,
    example: 'transactions 0xADDRESS --chain linea-mainnet --url URL',
    needs: [[['zod']], [provingPeers, '--prove']],
    exits: provenListExits,
  },
  transfers: {
    summary: 'Shows the transfers of tokens from and to a wallet, the newest first',
    note: 'Without --prove the server is believed. With --prove, what it cannot prove is named on standard error and left out, and a line says what is assumed. Of ERC-20 tokens and of wrapped native ones.',
    forms: [
      'transfers ADDRESS [--token ADDRESS] --url URL --chain NAME [flags]',
      'transfers ADDRESS [--token ADDRESS] --url URL --chain NAME --prove --network NAME|FILE (--l1 URL | --root HEX|FILE --block N) [flags]',
    ],
    operands: { ADDRESS: 'the wallet' },
    flags: transfersFlags,
    example: 'transfers 0xADDRESS --token 0xTOKEN --chain linea-mainnet --url URL',
    needs: [[['zod']], [provingPeers, '--prove']],
    exits: provenListExits,
  },
  holders: {
    summary: 'Shows who holds a token, the largest first',
    note: 'Without --prove the server is believed. With --prove, what it cannot prove is named on standard error and left out, and a line says what is assumed. It also says whether the proven balances are all that there is of the token.',
    forms: [
      'holders TOKEN --url URL --chain NAME [flags]',
      'holders TOKEN --url URL --chain NAME --prove --network NAME|FILE (--l1 URL | --root HEX|FILE --block N) [flags]',
    ],
    operands: { TOKEN: 'the contract of the token' },
    flags: holdersFlags,
    example: 'holders 0xTOKEN --chain linea-mainnet --url URL',
    needs: [[['zod']], [provingPeers, '--prove']],
    exits: provenListExits,
  },
  activity: {
    summary: 'Shows on which chains an address has a transaction, and when the last one was',
    note: 'The server is believed. It knows the chains that it serves; those that it cannot ask right now are not among them.',
    forms: ['activity ADDRESS --url URL [flags]'],
    operands: { ADDRESS: 'whose activity it is' },
    flags: activityFlags,
    example: 'activity 0xADDRESS --url URL',
    needs: [[['zod']]],
    exits: listExits,
  },
  portfolio: {
    summary: 'Shows what a wallet had of its tokens over some days',
    note: 'The server is believed. A row is a token: what the wallet had before these days, the least and the most of them, and what it has now. --json has each day.',
    forms: ['portfolio ADDRESS --url URL --chain NAME [flags]'],
    operands: { ADDRESS: 'the wallet' },
    flags: portfolioFlags,
    example: 'portfolio 0xADDRESS --days 7 --chain linea-mainnet --url URL',
    needs: [[['zod']]],
    exits: listExits,
  },
  allowances: {
    summary: 'Shows who may spend the ERC-20 tokens of a wallet, and how much',
    note: 'Without --prove the server is believed. With --prove, what it cannot prove is named on standard error and left out, and a line says what is assumed. Allowances that Permit2 keeps are among them. The advice compares amounts, and says nothing about who a spender is.',
    forms: [
      'allowances ADDRESS --url URL --chain NAME [flags]',
      'allowances ADDRESS --url URL --chain NAME --prove --network NAME|FILE (--l1 URL | --root HEX|FILE --block N) [flags]',
    ],
    operands: { ADDRESS: 'the wallet' },
    flags: allowancesFlags,
    example: 'allowances 0xADDRESS --chain linea-mainnet --url URL',
    needs: [[['zod']], [provingPeers, '--prove']],
    exits: provenListExits,
  },
  nfts: {
    summary: 'Shows the ERC-721 and ERC-1155 tokens of a wallet',
    note: 'Without --prove the server is believed. With --prove, what it cannot prove is named on standard error and left out, and a line says what is assumed. A server may list only some tokens of a contract; the second column says how many there are.',
    forms: [
      'nfts ADDRESS --url URL --chain NAME [flags]',
      'nfts ADDRESS --url URL --chain NAME --prove --network NAME|FILE (--l1 URL | --root HEX|FILE --block N) [flags]',
    ],
    operands: { ADDRESS: 'the wallet' },
    flags: nftsFlags,
    example: 'nfts 0xADDRESS --chain linea-mainnet --url URL',
    needs: [[['zod']], [provingPeers, '--prove']],
    exits: provenListExits,
  },
} as const satisfies Record<string, Page>;
