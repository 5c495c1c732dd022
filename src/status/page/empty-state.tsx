import { CopyButton } from './copy-button.tsx';

/** What to do while no phone was ever seen. */
export function EmptyState() {
  const doctor = 'hostnode doctor';
  return (
    <section class="empty-state" aria-labelledby="no-phones">
      <h2 id="no-phones">No phones yet</h2>
      <ol>
        <li>On the phone, open Settings, Developer options, and switch on USB debugging.</li>
        <li>Plug the phone into this host, with a cable that carries data.</li>
        <li>Unlock the phone, and accept the USB debugging prompt.</li>
      </ol>
      <p>
        It appears here within seconds. If it does not, run <code>{doctor}</code>{' '}
        <CopyButton word="copy" label={`Copy command: ${doctor}`} text={doctor} />
      </p>
    </section>
  );
}
