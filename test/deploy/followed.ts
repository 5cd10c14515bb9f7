/** How far a follower is, by its metrics. */

/** The newest block that it has applied; undefined if it does not answer, or has applied none. */
export async function followedBlock(url: string): Promise<number | undefined> {
  const text = await fetch(url).then(
    (answer) => answer.text(),
    () => '',
  );
  const [, block] = /^l2proof_follow_block (\d+)$/m.exec(text) ?? [];
  return block === undefined ? undefined : Number(block);
}
