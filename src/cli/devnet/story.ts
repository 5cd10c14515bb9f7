/** The first transactions on L2: tokens, a swap pool, and two accounts that use them. */
import type { Hex } from '../../index.js';
import { type CallArgument, toCallData } from './callData.js';
import { badge, type Contract, dollar, messageSender, pool, wrappedEther } from './contracts.js';
import { accounts, type DevNetwork } from './network.js';
import type { DevNode, Mined } from './node.js';

/** The contracts and transactions of the story on L2. */
export interface Story {
  /** Addresses of the contracts. */
  readonly contracts: Readonly<Record<'dollar' | 'wrappedEther' | 'badge' | 'pool', Hex>>;
  /** Hash of the transaction in which Bob swaps dollars for wrapped ether. */
  readonly swap: Hex;
  /** Hash of the transaction in which Alice sends an ether to Bob on L1. */
  readonly message: Hex;
  /** The last block. */
  readonly block: number;
}

const [alice, bob] = accounts;
const ether = 10n ** 18n;
const oneDollar = 10n ** 6n;

/** Lets it happen. The addresses of the contracts follow from the accounts: they are the same each time. */
export async function tellStory(l2: DevNode, network: DevNetwork): Promise<Story> {
  async function deploy({ code }: Contract, ...given: CallArgument[]): Promise<Hex> {
    const { contract } = await l2.send({ from: alice, data: toCallData(code, ...given) });
    return contract as Hex;
  }
  const act = (from: Hex, to: Hex, selector: Hex, ...given: CallArgument[]): Promise<Mined> =>
    l2.send({ from, to, data: toCallData(selector, ...given) });

  const dollars = await deploy(dollar);
  const weth = await deploy(wrappedEther);
  const badges = await deploy(badge);
  const pair = await deploy(pool, dollars, weth);
  const approve = dollar.methods['approve(address,uint256)'];

  await l2.send({
    from: alice,
    to: weth,
    value: 10n * ether,
    data: wrappedEther.methods['deposit()'],
  });
  await act(alice, dollars, approve, pair, 30_000n * oneDollar);
  await act(alice, weth, approve, pair, 10n * ether);
  await act(alice, pair, pool.methods['add(uint256,uint256)'], 30_000n * oneDollar, 10n * ether);
  await act(alice, dollars, dollar.methods['transfer(address,uint256)'], bob, 5000n * oneDollar);
  await act(bob, badges, badge.methods['mint()']);
  await act(bob, dollars, approve, pair, 1200n * oneDollar);
  const swap = pool.methods['swap(address,uint256,address)'];
  const { hash } = await act(bob, pair, swap, dollars, 1200n * oneDollar, bob);
  const send = messageSender.methods['sendMessage(address,uint256,bytes)'];
  const { hash: message } = await l2.send({
    from: alice,
    to: network.messageService as Hex,
    value: ether,
    // No fee and no data: their place, and their length.
    data: toCallData(send, bob, 0n, 96n, 0n),
  });
  // The state of a block proves the blocks before it: without another one, nothing would prove the message.
  const { block } = await act(alice, dollars, approve, pair, 0n);
  return {
    contracts: { dollar: dollars, wrappedEther: weth, badge: badges, pool: pair },
    swap: hash,
    message,
    block,
  };
}
