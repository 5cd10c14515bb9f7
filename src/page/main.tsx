import { render } from 'preact';

render(<h1>l2proof explorer</h1>, document.getElementById('page') as HTMLElement);
