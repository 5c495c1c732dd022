/** All that the sandbox knows. Each row is plain JSON. */
import type { DocumentedDevice, DocumentedMachine } from '../cloud/contract/report.ts';
import type { CloudFaults } from './fault.ts';
import { type Kept, type Row, Table } from './table.ts';

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

/** An image of an app. */
export interface Icon {
  readonly type: string;
  readonly base64: string;
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
  readonly icon?: Icon | undefined;
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
  /** The device that its data sets are assigned to. */
  readonly udid?: string | undefined;
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
  /** The user whose account reported it first. */
  readonly ownerId?: number;
  readonly info: DocumentedDevice;
  /** The versions of its browsers by name: no host reports them. */
  readonly browserVersions?: Readonly<Record<string, string>> | undefined;
}

export interface Host extends Row {
  readonly organizationId: number;
  readonly nodeId: string;
  readonly machine: DocumentedMachine;
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
  /** Absent: it lasts until somebody ends it. */
  readonly endsAt?: string;
}

export type State = ReturnType<typeof createState>;

/** What the parts of a sandbox use of it. */
export interface Whole {
  readonly state: State;
  readonly faults: CloudFaults;
  /** Ms since the epoch. */
  now(): number;
  /** Changes the state, and keeps the change. */
  change<T>(make: (state: State) => T): T;
}

/** @param kept what a data file has of the tables */
export function createState(kept?: ReadonlyMap<string, Kept>) {
  const table = <R extends Row>(name: string) => new Table<R>(kept?.get(name));
  const devices = table<StoredDevice>('devices');
  const reservations = table<Reservation>('reservations');
  /** Gives the ids inside of rows, none twice. */
  const parts = table<Row>('parts');
  return {
    organizations: table<Organization>('organizations'),
    users: table<User>('users'),
    teams: table<Team>('teams'),
    apps: table<App>('apps'),
    versions: table<Version>('versions'),
    uploads: table<Upload>('uploads'),
    sessions: table<Session>('sessions'),
    dataSets: table<DataSet>('dataSets'),
    devices,
    hosts: table<Host>('hosts'),
    gestures: table<Gesture>('gestures'),
    reservations,
    parts,

    /** An id for a part of a row. */
    nextPartId(): number {
      const { id } = parts.add({});
      parts.remove(id);
      return id;
    },

    device: (udid: string): StoredDevice | undefined => devices.find(({ info }) => info.udid === udid),

    reservationOf: (deviceId: number): Reservation | undefined =>
      reservations.find((each) => each.deviceId === deviceId),
  };
}
