/**
 * The rules of the API's document as plain data and a few lines each, for comparison with the sandbox. It knows nothing
 * of the sandbox's code.
 */

export interface ModelUser {
  readonly name: string;
  readonly organization: number;
  isAdmin: boolean;
  isActive: boolean;
}

interface ModelApp {
  readonly organization: number;
  readonly creator: string;
  access: 'public' | 'private' | readonly number[];
}

interface ModelVersion {
  readonly app: number;
  readonly name: string;
  isParsed: boolean;
}

interface ModelUpload {
  readonly organization: number;
  readonly filename: string;
  readonly app: number | null;
  isReceived: boolean;
  isRegistered: boolean;
}

/** Its first two commands take text, the second of them at most 5 characters; the third is a click. */
const ORIGINAL = new Map([
  [1, 'city'],
  [2, 'code'],
]);
const takes = (command: number, value: string): boolean =>
  ORIGINAL.has(command) && (command !== 2 || value.length <= 5);

export type Outcome = number | { status: number; [part: string]: unknown };

export class Model {
  readonly users: readonly ModelUser[] = [
    { name: 'ann', organization: 1, isAdmin: true, isActive: true },
    { name: 'bob', organization: 1, isAdmin: false, isActive: true },
    { name: 'cyd', organization: 1, isAdmin: false, isActive: true },
    { name: 'dan', organization: 2, isAdmin: true, isActive: true },
  ];
  readonly teams = new Map([
    [1, { organization: 1, members: ['bob'] }],
    [2, { organization: 1, members: ['cyd', 'ann'] }],
    [3, { organization: 2, members: ['dan'] }],
  ]);
  readonly apps = new Map<number, ModelApp>();
  readonly versions = new Map<number, ModelVersion>();
  readonly uploads: ModelUpload[] = [];
  /** Organization and tag → version. */
  readonly tags = new Map<string, number>();
  /** Of organization 1: command → text. */
  readonly dataSets: Map<number, string>[] = [];
  #lastApp = 0;
  #lastVersion = 0;

  user(name: string): ModelUser {
    const user = this.users.find((each) => each.name === name);
    if (user === undefined) throw new Error(name);
    return user;
  }

  /** The outcome for this user: 401 while deactivated. */
  as(name: string, outcome: (user: ModelUser) => Outcome): Outcome {
    const user = this.user(name);
    return user.isActive ? outcome(user) : 401;
  }

  mayUse(user: ModelUser, id: number): boolean {
    const app = this.apps.get(id);
    if (app?.organization !== user.organization) return false;
    if (app.access === 'public') return true;
    if (app.access === 'private') return app.creator === user.name;
    return app.access.some((team) => this.teams.get(team)?.members.includes(user.name));
  }

  uploadUrl(user: ModelUser, filename: string, app: number | null): Outcome {
    if (app !== null && !this.mayUse(user, app)) return 404;
    const { organization } = user;
    this.uploads.push({ organization, filename, app, isReceived: false, isRegistered: false });
    return 200;
  }

  create(user: ModelUser, index: number, filename: string | undefined): Outcome {
    const upload = this.uploads[index];
    if (!upload?.isReceived || upload.organization !== user.organization) return 404;
    if (upload.isRegistered) return 409;
    if (upload.app !== null && !this.mayUse(user, upload.app)) return 404;
    upload.isRegistered = true;
    const app = upload.app ?? ++this.#lastApp;
    if (upload.app === null)
      this.apps.set(app, { organization: user.organization, creator: user.name, access: 'public' });
    const version = ++this.#lastVersion;
    this.versions.set(version, { app, name: filename ?? upload.filename, isParsed: false });
    return { status: 200, appId: upload.app, versionId: version };
  }

  listApps(user: ModelUser): Outcome {
    const seen = [...this.apps].filter(([id]) => this.mayUse(user, id));
    const apps = seen.map(([id, { access }]) => ({
      id,
      privateAccess: access === 'private',
      versions: this.#versionsOf(id).map(([version, { name }]) => ({ id: version, name })),
    }));
    return { status: 200, apps };
  }

  setAccess(user: ModelUser, id: number, access: ModelApp['access']): Outcome {
    const app = this.apps.get(id);
    if (app === undefined || !this.mayUse(user, id)) return 404;
    if (typeof access === 'object') {
      const isOwn = (team: number) => this.teams.get(team)?.organization === user.organization;
      if (!access.every(isOwn)) return 404;
    }
    app.access = access;
    return 200;
  }

  latest(user: ModelUser, id: number): Outcome {
    if (!this.mayUse(user, id)) return 404;
    const latest = this.#versionsOf(id).findLast(([, { isParsed }]) => isParsed);
    return { status: 200, latest: latest?.[0] };
  }

  deleteApps(user: ModelUser, ids: readonly number[]): Outcome {
    const wanted = [...new Set(ids)];
    const deleted = wanted.filter((id) => this.mayUse(user, id));
    const failed = wanted.filter((id) => !deleted.includes(id));
    for (const id of deleted) this.#removeApp(id);
    return { status: 200, deleted, failed };
  }

  deleteApp(user: ModelUser, id: number): Outcome {
    if (!this.mayUse(user, id)) return 404;
    this.#removeApp(id);
    return 200;
  }

  deleteVersion(user: ModelUser, id: number): Outcome {
    const version = this.versions.get(id);
    if (version === undefined || !this.mayUse(user, version.app)) return 404;
    this.#removeVersion(id);
    return 200;
  }

  #taggable(user: ModelUser, id: number, tag: string): number {
    if (!/^[A-Za-z0-9._-]{1,32}$/.test(tag)) return 400;
    const version = this.versions.get(id);
    if (version === undefined) return 404;
    return this.mayUse(user, version.app) ? 200 : 403;
  }

  tag(user: ModelUser, id: number, tag: string): Outcome {
    const status = this.#taggable(user, id, tag);
    if (status !== 200) return status;
    const key = `${user.organization} ${tag}`;
    if (this.tags.has(key)) return 400;
    this.tags.set(key, id);
    return 200;
  }

  untag(user: ModelUser, id: number, tag: string): Outcome {
    const status = this.#taggable(user, id, tag);
    if (status !== 200) return status;
    const key = `${user.organization} ${tag}`;
    if (this.tags.get(key) !== id) return 404;
    this.tags.delete(key);
    return 200;
  }

  changeMember(user: ModelUser, name: string, change: (member: ModelUser) => void): Outcome {
    if (!user.isAdmin) return 403;
    const member = this.user(name);
    if (member.organization !== user.organization) return 404;
    change(member);
    return 200;
  }

  createDataSet(user: ModelUser, wishes: readonly (readonly [number, string])[]): Outcome {
    if (user.organization !== 1) return 404;
    if (!wishes.every(([command, value]) => takes(command, value))) return 400;
    const texts = new Map([...ORIGINAL, ...wishes]);
    this.dataSets.push(texts);
    return { status: 200, id: this.dataSets.length, texts: [...texts] };
  }

  updateDataSet(user: ModelUser, id: number, wishes: readonly (readonly [number, string])[]): Outcome {
    const texts = this.dataSets[id - 1];
    if (texts === undefined || user.organization !== 1) return 404;
    const done = new Set<number>();
    const failed = new Set<number>();
    // the last text for a command counts
    for (const [command, value] of new Map(wishes)) {
      if (takes(command, value)) texts.set(command, value);
      (takes(command, value) ? done : failed).add(command);
    }
    const textsOf = (some: Set<number>) =>
      [...some].toSorted().map((command) => [command, texts.get(command)]);
    return { status: 200, done: textsOf(done), failed: textsOf(failed) };
  }

  #versionsOf(app: number) {
    return [...this.versions].filter(([, version]) => version.app === app);
  }

  #removeApp(id: number): void {
    for (const [version] of this.#versionsOf(id)) this.#removeVersion(version);
    this.apps.delete(id);
  }

  #removeVersion(id: number): void {
    this.versions.delete(id);
    for (const [key, version] of this.tags) if (version === id) this.tags.delete(key);
  }
}
