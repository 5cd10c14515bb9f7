/** How many turns of the event loop others have while some work is done. */
export async function turnsDuring(work: () => Promise<void>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const tick = () => {
    turns++;
    if (!isDone) setImmediate(tick);
  };
  setImmediate(tick);
  await work();
  isDone = true;
  return turns;
}
