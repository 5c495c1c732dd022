/** The directory for what must survive a restart. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { attempt } from '../base/errors.ts';
import { Folder } from './folder.ts';
import { StateLinkError, StateOwnerError, StateUnwritableError } from './state-errors.ts';

/** The default state directory: systemd's, else root's, else the user's own (XDG base directories). */
export function defaultStateDirectory(
  env: Environment,
  uid: number | undefined = process.getuid?.(),
): string {
  // systemd lists several directories with colons between them
  const [fromSystemd] = (env.STATE_DIRECTORY ?? '').split(':');
  if (fromSystemd) return fromSystemd;
  if (uid === 0) return SYSTEM_STATE_DIRECTORY;
  const home = env.HOME || attempt(homedir); // a user may have none, as in a container
  const own = env.XDG_STATE_HOME || (home && join(home, '.local', 'state'));
  return own ? join(own, 'hostnode') : SYSTEM_STATE_DIRECTORY;
}

const SYSTEM_STATE_DIRECTORY = '/var/lib/hostnode';

/**
 * Creates the directory, for its owner alone, unless it exists.
 *
 * @param allowOtherOwner root may work in another user's directory
 * @returns its permission bits; those of an existing directory stay
 * @throws {StateUnwritableError}
 * @throws {StateOwnerError} root, and the directory is another user's
 * @throws {StateLinkError} root, and another user may have made a link in the path
 */
export async function openStateDirectory(dir: string, { allowOtherOwner = false } = {}): Promise<number> {
  try {
    await using folder = await Folder.open(dir, { make: true });
    if (folder.isOfAnother && !allowOtherOwner) throw new StateOwnerError(dir, folder.uid);
    return folder.mode;
  } catch (cause) {
    if (cause instanceof StateOwnerError || cause instanceof StateLinkError) throw cause;
    throw new StateUnwritableError(dir, cause);
  }
}
