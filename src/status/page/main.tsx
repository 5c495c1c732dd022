/** The status page: shows the host as it is now, and asks nothing of anybody but this host. */
import { render } from 'preact';
import { Clock, ClockContext } from './clock.ts';
import { LiveStatus } from './live.ts';
import { Page } from './page.tsx';
import { showTab, tabOf } from './tab.ts';

const root = document.querySelector('#page');
if (root === null) throw new Error('the document has no place for the page');

const clock = new Clock();
clock.start();
root.replaceChildren();
new LiveStatus((live) => {
  if (live.status && live.lostSince === undefined) clock.set(live.status.takenAt);
  showTab(tabOf(live));
  render(
    <ClockContext.Provider value={clock}>
      <Page live={live} />
    </ClockContext.Provider>,
    root,
  );
}).start();
