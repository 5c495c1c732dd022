/** Data sets: texts that replace those of a session's commands. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import { type Call, type HandlersOf, notFound, Problem, timeOf } from '../handler.ts';
import type { Command, DataSetAction, Session } from '../state.ts';

/** The commands that support data-driven values. */
const TYPED = 'TYPE_KEYBOARD';

type Context = Pick<Call, 'state' | 'caller' | 'services'>;
/** A wanted text, and the commands that it is for. */
interface Wish {
  readonly commands: readonly Command[];
  readonly value: string;
  /** The command that the caller named. */
  readonly commandId?: number;
}

function sessionFor({ state, caller }: Context, id: number): Session {
  const session = state.sessions.get(id);
  if (session?.organizationId !== caller.organizationId) throw notFound(`exploring session ${id}`);
  return session;
}

/** What a call wants: a text for a command, or for all elements with these attributes. */
interface Action {
  readonly value: string;
  readonly commandId?: number;
  readonly elementProperty?: Readonly<Record<string, string>>;
}

/** Attributes that are none select no element. */
function selects(attributes: Readonly<Record<string, string>>, element: Command['element']): boolean {
  const wanted = Object.entries(attributes);
  return wanted.length > 0 && wanted.every(([name, text]) => element[name] === text);
}

const wishesIn = ({ commands }: Session, actions: readonly Action[]): Wish[] =>
  actions.map(({ value, commandId, elementProperty = {} }) => {
    const isMeant = ({ id, element }: Command) =>
      commandId === undefined ? selects(elementProperty, element) : id === commandId;
    return omitUndefined({ commands: commands.filter(isMeant), value, commandId });
  });

/** Can a text be typed here? */
const takes = ({ actionType, maxLength = Infinity }: Command, value: string): boolean =>
  actionType === TYPED && value.length <= maxLength;

interface Creation {
  readonly exploringSessionId: number;
  readonly dataSetActions?: readonly Action[];
}

function create({ input, ...context }: Context & { input: Creation }) {
  const { state, caller, services } = context;
  const session = sessionFor(context, input.exploringSessionId);
  const wishes = wishesIn(session, input.dataSetActions ?? []);
  const wrong = wishes.find(
    ({ commands, value }) => commands.length === 0 || !commands.every((command) => takes(command, value)),
  );
  if (wrong !== undefined) {
    const text = JSON.stringify(wrong.value);
    throw new Problem(400, `no command takes the text ${text}, or not all that are named`);
  }
  const now = timeOf(services.now());
  const times = { createdAt: now, updatedAt: now };
  const texts = new Map(wishes.flatMap(({ commands, value }) => commands.map(({ id }) => [id, value])));
  const typed = session.commands.filter(({ actionType }) => actionType === TYPED);
  const number = state.dataSets.filter(({ sessionId }) => sessionId === session.id).length + 1;
  const made = state.dataSets.add({
    sessionId: session.id,
    name: `Data set ${number}`,
    createdBy: caller.id,
    ...times,
    actions: typed.map(({ id: commandId, text }) => ({
      id: state.nextPartId(),
      commandId,
      text: texts.get(commandId) ?? text,
      isEdited: texts.has(commandId),
      ...times,
    })),
  });
  return {
    message: 'The data set was created',
    data: {
      id: made.id,
      name: made.name,
      exploringSessionId: session.id,
      ...times,
      createdBy: { id: caller.id, username: caller.username },
      actions: made.actions.map(({ commandId, text }) => ({ commandId, actionProperties: { text } })),
    },
  };
}

const actionView = (dataSetId: number, { text, isEdited: _, ...action }: DataSetAction) => ({
  ...action,
  dataSetId,
  actionType: TYPED,
  actionProperties: { text },
});

interface Update {
  readonly dataSetId: number;
  readonly dataSetActions: readonly Action[];
}

function update({ input, state, caller, services }: Context & { input: Update }) {
  const { dataSetId, dataSetActions } = input;
  const dataSet = state.dataSets.get(dataSetId);
  const session = dataSet && state.sessions.get(dataSet.sessionId);
  if (dataSet === undefined || session?.organizationId !== caller.organizationId)
    throw notFound(`data set ${dataSetId}`);
  const wishes = wishesIn(session, dataSetActions);
  const now = timeOf(services.now());
  // of an action that is named twice, the last text counts
  const wanted = new Map(wishes.flatMap((wish) => wish.commands.map((command) => [command, wish.value])));
  const own = new Set(dataSet.actions.map(({ commandId }) => commandId));
  const done = new Map(
    [...wanted].flatMap(([command, value]) =>
      own.has(command.id) && takes(command, value) ? [[command.id, value] as const] : [],
    ),
  );
  const actions = dataSet.actions.map((action) => {
    const text = done.get(action.commandId);
    return text === undefined ? action : { ...action, text, isEdited: true, updatedAt: now };
  });
  const updatedAt = done.size > 0 ? now : dataSet.updatedAt;
  state.dataSets.put({ ...dataSet, updatedAt, actions });
  const views = (isMeant: (commandId: number) => boolean) =>
    actions.filter(({ commandId }) => isMeant(commandId)).map((action) => actionView(dataSetId, action));
  const named = new Set([...wanted.keys()].map(({ id }) => id));
  // what names no action has no values: its entry says no more than what was named
  const nowhere = new Set([
    ...[...named].filter((id) => !own.has(id)),
    ...wishes.filter(({ commands }) => commands.length === 0).map(({ commandId }) => commandId),
  ]);
  const failedActions = [
    ...views((id) => named.has(id) && !done.has(id)),
    ...Array.from(nowhere, (commandId) => ({ dataSetId, commandId })),
  ];
  return {
    message: failedActions.length > 0 ? 'Some actions were not updated' : 'The actions were updated',
    data: { successfulActions: views((id) => done.has(id)), failedActions },
  };
}

export const dataSets: HandlersOf<'dataSets'> = {
  list(call) {
    const session = sessionFor(call, call.input.exploringSessionId);
    const info = session.udid === undefined ? undefined : call.state.device(session.udid)?.info;
    const { deviceName, platformName, platformVersion } = info ?? {};
    const assignedDevice = info && { deviceName, platformName, platformVersion };
    return call.state.dataSets
      .filter(({ sessionId }) => sessionId === session.id)
      .map(({ id, name, createdAt, actions }) => ({
        id,
        name,
        exploringSessionId: session.id,
        isAssignedDevice: assignedDevice !== undefined,
        assignedDevice,
        createdAt,
        totalActionCount: actions.length,
        editedActionCount: actions.filter(({ isEdited }) => isEdited).length,
      }));
  },

  createByCommand: create,
  createByElement: create,
  updateByCommand: update,
  updateByElement: update,
};
