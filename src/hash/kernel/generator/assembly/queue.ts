/**
 * Hashes that do not wait for one another, up to four of one width at a time. What a request asks for is there after
 * `settle`, or before.
 */
import { copy, equal } from './bytes'
import { hashMany } from './family'
import { COPIES, JOBS, LANES } from './layout'
import { recall, remember } from './memo'

/** Copies that COPIES has room for. */
const MAX_COPIES: u32 = 16

let jobs: u32 = 0
let copies: u32 = 0

/** Asks for the digest of 1..LEAF_BLOCKS blocks at `src`; all requests since the last `settle` are of one width. */
export function request(src: usize, blocks: u32, dst: usize): void {
  if (recall(src, blocks, dst)) return
  for (let job = JOBS; job < JOBS + 8 * jobs; job += 8) {
    if (equal(load<u32>(job), src, blocks)) {
      if (copies == MAX_COPIES) settle(blocks)
      else {
        store<u32>(COPIES + 8 * copies, load<u32>(job, 4))
        store<u32>(COPIES + 8 * copies, dst, 4)
        copies++
        return
      }
    }
  }
  store<u32>(JOBS + 8 * jobs, src)
  store<u32>(JOBS + 8 * jobs, dst, 4)
  jobs++
  if (jobs == LANES) settle(blocks)
}

/** Whether a hash is due: then fewer than LANES are. */
export function isDue(): bool {
  return jobs > 0
}

/** Hashes all that is due. */
export function settle(blocks: u32): void {
  if (jobs == 0) return
  hashMany(jobs, blocks)
  for (let job = JOBS; job < JOBS + 8 * jobs; job += 8) remember(load<u32>(job), blocks, load<u32>(job, 4))
  for (let i = COPIES; i < COPIES + 8 * copies; i += 8) copy(load<u32>(i, 4), load<u32>(i), 1)
  jobs = 0
  copies = 0
}

/** Hashes `count` inputs of `blocks` blocks, back to back, without the memo. A digest may take the place of its input or of one before. */
export function hashEach(src: usize, blocks: u32, count: u32, dst: usize): void {
  for (let done: u32 = 0; done < count; done += LANES) {
    const some = min(count - done, LANES)
    for (let i: u32 = 0; i < some; i++) {
      store<u32>(JOBS + 8 * i, src + 32 * blocks * (done + i))
      store<u32>(JOBS + 8 * i, dst + 32 * (done + i), 4)
    }
    hashMany(some, blocks)
  }
}
