/** What a page of a stranger tries with an address in the lab; run in a browser. */
export const attempts = (address: string): string => `(async () => {
  const tried = (promise) => promise.then(String, () => 'refused');
  const loaded = (name, properties) => new Promise((resolve, reject) => {
    const element = Object.assign(document.createElement(name), properties);
    element.onload = () => resolve('loaded');
    element.onerror = reject;
    document.documentElement.append(element);
  });
  const heard = new Promise((resolve, reject) => {
    const events = new EventSource('${address}api/events');
    events.addEventListener('status', () => resolve('heard'));
    events.onerror = reject;
  });
  return {
    read: await tried(fetch('${address}api/status').then((response) => response.text())),
    blind: await tried(fetch('${address}api/status', { mode: 'no-cors' }).then(({ type }) => type)),
    command: await tried(fetch('${address}report', { method: 'POST', mode: 'no-cors' }).then(({ type }) => type)),
    events: await tried(heard),
    script: await tried(loaded('script', { src: '${address}api/status' })),
    image: await tried(loaded('img', { src: '${address}healthz' })),
  };
})()`;

/** Shows the address in a frame of the stranger's page. */
export const frame = (address: string): string =>
  `void document.documentElement.append(Object.assign(document.createElement('iframe'), { src: '${address}' }))`;
