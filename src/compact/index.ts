/** `l2proof/compact`: the same proofs in a tenth of the bytes or less. */
export { verifyAnswer } from './answer.js';
export { toCalldata } from './calldata.js';
export type {
  Calldata,
  CalldataCall,
  CalldataCheck,
  CalldataCheckName,
  CalldataValue,
} from './checks.js';
export { compactProof } from './encode.js';
export { verifyCompactProof } from './verify.js';
