/** What the page is, before anything is looked up. */
export function Home() {
  return (
    <section>
      <h1>An explorer that proves what it shows</h1>
      <p>
        Every figure is verified here, in your browser, against a state root that the rollup has put
        on L1. No server of L2 is believed about it; whom you believe about L1 stands under Trust.
      </p>
      <ul class="legend">
        <li data-mark="proven">
          <strong>✓ proven</strong>: a proof holds under that root.
        </li>
        <li data-mark="word">
          <strong>“ ” the server’s word</strong>: somebody says so, and nothing proves it.
        </li>
        <li data-mark="missing">
          <strong>– not available</strong>: nobody has it, or the answer was refused.
        </li>
      </ul>
      <p>
        Touch a mark to see what it rests on. Search above for an address, a transaction or a block,
        or look at <a href="#/proof">a proof itself</a>.
      </p>
    </section>
  );
}
