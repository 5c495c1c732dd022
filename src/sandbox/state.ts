/** All that the sandbox knows. Each row is plain JSON. */
import type { DeviceInfo, Machine } from '../cloud/contract/report.ts';
import { type Journal, type Kept, type Row, Table } from './table.ts';

export interface Organization extends Row {
  readonly name: string;
}

/** The document knows ADMIN; MEMBER is our word. */
export const roles = ['ADMIN', 'MEMBER'] as const;
export type Role = (typeof roles)[number];

/** No password is kept: nobody signs in with one here. */
export interface User extends Row {
  readonly organizationId: number;
  readonly username: string;
  readonly email: string;
  readonly apiKey: string;
  readonly role: Role;
  readonly isActive: boolean;
  readonly isSso: boolean;
  readonly firstName: string;
  readonly lastName: string;
  readonly favoriteDeviceIds: readonly number[];
}

/** A team of users. It is also what the API calls a group. */
export interface Team extends Row {
  readonly organizationId: number;
  readonly name: string;
  readonly description: string;
  readonly userIds: readonly number[];
}

export interface App extends Row {
  readonly organizationId: number;
  readonly createdAt: string;
  readonly name: string;
  /** A user's id. */
  readonly createdBy: number;
  readonly access: 'public' | 'private' | 'team';
  readonly assignedTeams: readonly { readonly id: number; readonly teamId: number }[];
}

/** What a parser read from an uploaded file. */
export interface ParsedApp {
  readonly package: string;
  readonly versionName?: string;
  readonly label?: string;
  /** Path inside the package. */
  readonly icon?: string;
}

export interface Version extends Row {
  readonly appId: number;
  readonly createdAt: string;
  readonly name: string;
  readonly createdBy: number;
  /** Until this time, ms since the epoch, it is shown as being parsed. */
  readonly parsedAt: number;
  /** Null: the file is no app that we can read. Absent: not read yet. */
  readonly parsed?: ParsedApp | null;
  readonly tags: readonly string[];
}

/** A place for a file; the file is there once `isReceived`. */
export interface Upload extends Row {
  readonly organizationId: number;
  readonly appPath: string;
  readonly appId: number | null;
  readonly isReceived: boolean;
  /** The version that was made of it. */
  readonly versionId?: number;
}

export interface Icon extends Row {
  readonly type: string;
  readonly base64: string;
}

/** A recorded step of an exploring session. */
export interface Command {
  readonly id: number;
  readonly actionType: string;
  readonly text: string;
  /** Its field takes no longer text. */
  readonly maxLength?: number | undefined;
  readonly element: Readonly<Record<string, string>>;
}

export interface Session extends Row {
  readonly organizationId: number;
  readonly name: string;
  readonly commands: readonly Command[];
}

export interface DataSetAction {
  readonly id: number;
  readonly commandId: number;
  readonly text: string;
  readonly isEdited: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface DataSet extends Row {
  readonly sessionId: number;
  readonly name: string;
  readonly createdBy: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly actions: readonly DataSetAction[];
}

/** A device as last reported. */
export interface StoredDevice extends Row {
  readonly organizationId: number;
  /** The host that reported it last. */
  readonly nodeId: string;
  /** The cloud's own device: every organization has it. */
  readonly isCloud: boolean;
  readonly info: DeviceInfo;
}

export interface Host extends Row {
  readonly organizationId: number;
  readonly nodeId: string;
  readonly machine: Machine;
}

export interface Gesture extends Row {
  readonly userId: number;
  readonly name: string;
  readonly command: string;
}

/** A device is booked while it has one. */
export interface Reservation extends Row {
  readonly deviceId: number;
  readonly userId: number;
  readonly createdAt: string;
}

export class State {
  readonly organizations: Table<Organization>;
  readonly users: Table<User>;
  readonly teams: Table<Team>;
  readonly apps: Table<App>;
  readonly versions: Table<Version>;
  readonly uploads: Table<Upload>;
  readonly icons: Table<Icon>;
  readonly sessions: Table<Session>;
  readonly dataSets: Table<DataSet>;
  readonly devices: Table<StoredDevice>;
  readonly hosts: Table<Host>;
  readonly gestures: Table<Gesture>;
  readonly reservations: Table<Reservation>;
  /** One row for all ids inside of rows, so that none is given twice. */
  readonly parts: Table<Row>;

  constructor(journal: Journal = () => {}, kept: ReadonlyMap<string, Kept> = new Map()) {
    const table = <R extends Row>(name: string) => new Table<R>(name, journal, kept.get(name));
    this.organizations = table('organizations');
    this.users = table('users');
    this.teams = table('teams');
    this.apps = table('apps');
    this.versions = table('versions');
    this.uploads = table('uploads');
    this.icons = table('icons');
    this.sessions = table('sessions');
    this.dataSets = table('dataSets');
    this.devices = table('devices');
    this.hosts = table('hosts');
    this.gestures = table('gestures');
    this.reservations = table('reservations');
    this.parts = table('parts');
  }

  /** An id for a part of a row. */
  nextPartId(): number {
    const { id } = this.parts.add({});
    this.parts.remove(id);
    return id;
  }

  device(udid: string): StoredDevice | undefined {
    return this.devices.find(({ info }) => info.udid === udid);
  }

  reservationOf(deviceId: number): Reservation | undefined {
    return this.reservations.find((each) => each.deviceId === deviceId);
  }
}
