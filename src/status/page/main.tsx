/** The status page: shows the host live, and sends requests only to this host. */
import { render } from 'preact';
import { Clock, ClockContext } from './clock.ts';
import { followStatus, type Live } from './live.ts';
import { Page } from './page.tsx';
import { showTab, tabOf } from './tab.ts';

const clock = new Clock();
clock.start();

function show(live: Live): void {
  if (live.status && live.lostSince === undefined) clock.set(live.status.takenAt);
  showTab(tabOf(live));
  render(
    <ClockContext.Provider value={clock}>
      <Page live={live} />
    </ClockContext.Provider>,
    document.body,
  );
}

document.body.replaceChildren();
show({});
followStatus(show);
