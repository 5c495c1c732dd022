import { useEffect, useRef } from 'preact/hooks';
import { Cross } from './icons.tsx';

const keys: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ['/'], does: 'type a filter, on the rack too; Enter goes to the first match, Escape clears it' },
  { keys: ['←', '→', '↑', '↓'], does: 'go from tile to tile' },
  { keys: ['Home', 'End'], does: 'go to the first or last tile' },
  { keys: ['Enter'], does: 'open the phone' },
  { keys: ['Escape'], does: 'close the phone, leave the wall' },
  { keys: ['?'], does: 'show this list' },
];

/**
 * Calls the action of a key that is pressed outside of text fields.
 *
 * @param actions by `KeyboardEvent.key`; the same object as long as they do the same; `false`: the key is not theirs
 */
export function useKeys(actions: Readonly<Record<string, () => unknown>>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, target, altKey, ctrlKey, metaKey } = event;
      const action = actions[key];
      if (action === undefined || altKey || ctrlKey || metaKey || isTextField(target)) return;
      if (action() !== false) event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [actions]);
}

const isTextField = (target: EventTarget | null) => target instanceof HTMLInputElement;

/** The list of keys, over the page. */
export function KeyList({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="keys"
      aria-labelledby="keys"
      onClose={onClose}
      onKeyDown={(event) => event.stopPropagation()} // Escape closes only the list
    >
      <div class="heading">
        <h2 id="keys">Keys</h2>
        <button
          type="button"
          class="close"
          aria-label="Close the list of keys"
          onClick={() => dialog.current?.close()}
        >
          <Cross />
        </button>
      </div>
      <dl>
        {keys.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}
