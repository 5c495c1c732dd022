import { describeWhere, without } from '../machine-needs.ts';
import { forbiddenForGuest, missingForGuest } from '../systemd/guest-root.ts';

const TOOLS = ['buildah', 'podman', 'crun', 'unshare', 'tar', 'npm'];

/** A group of tests that build and run real containers; the base image is made of the guests' root. */
export const describeWithContainers = (title: string, tests: () => void): void =>
  describeWhere(
    title,
    { missing: [...missingForGuest(), ...without(TOOLS)], forbidden: forbiddenForGuest },
    tests,
  );
