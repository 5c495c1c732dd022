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

/** The wishes of a call, once its session is known. */
type WishesIn = (session: Session) => Wish[];

const byCommand =
  ({ dataSetActions = [] }: { dataSetActions?: readonly { commandId: number; value: string }[] }): WishesIn =>
  ({ commands }) =>
    dataSetActions.map(({ commandId, value }) => ({
      commands: commands.filter(({ id }) => id === commandId),
      value,
      commandId,
    }));

/** Attributes that are none select no element. */
function selects(attributes: Record<string, string>, element: Command['element']): boolean {
  const wanted = Object.entries(attributes);
  return wanted.length > 0 && wanted.every(([name, text]) => element[name] === text);
}

interface ElementAction {
  readonly elementProperty: Record<string, string>;
  readonly value: string;
}

const byElement =
  ({ dataSetActions = [] }: { dataSetActions?: readonly ElementAction[] }): WishesIn =>
  ({ commands }) =>
    dataSetActions.map(({ elementProperty, value }) => ({
      commands: commands.filter(({ element }) => selects(elementProperty, element)),
      value,
    }));

/** Can a text be typed here? */
const takes = ({ actionType, maxLength = Infinity }: Command, value: string): boolean =>
  actionType === TYPED && value.length <= maxLength;

function create(context: Context, sessionId: number, wishesIn: WishesIn) {
  const { state, caller, services } = context;
  const session = sessionFor(context, sessionId);
  const wishes = wishesIn(session);
  const wrong = wishes.find(
    ({ commands, value }) => commands.length === 0 || !commands.every((command) => takes(command, value)),
  );
  if (wrong !== undefined)
    throw new Problem(
      400,
      `no command takes the text ${JSON.stringify(wrong.value)}, or not all that are named`,
    );
  const now = timeOf(services.now());
  const texts = new Map(wishes.flatMap(({ commands, value }) => commands.map(({ id }) => [id, value])));
  const typed = session.commands.filter(({ actionType }) => actionType === TYPED);
  const number = state.dataSets.filter(({ sessionId }) => sessionId === session.id).length + 1;
  const made = state.dataSets.add({
    sessionId: session.id,
    name: `Data set ${number}`,
    createdBy: caller.id,
    createdAt: now,
    updatedAt: now,
    actions: typed.map(({ id: commandId, text }) => ({
      id: state.nextPartId(),
      commandId,
      text: texts.get(commandId) ?? text,
      isEdited: texts.has(commandId),
      createdAt: now,
      updatedAt: now,
    })),
  });
  return {
    message: 'The data set was created',
    data: {
      id: made.id,
      name: made.name,
      exploringSessionId: session.id,
      createdAt: now,
      updatedAt: now,
      createdBy: { id: caller.id, username: caller.username },
      actions: made.actions.map(({ commandId, text }) => ({ commandId, actionProperties: { text } })),
    },
  };
}

const actionView = (dataSetId: number, { id, commandId, text, createdAt, updatedAt }: DataSetAction) => ({
  id,
  dataSetId,
  commandId,
  actionType: TYPED,
  actionProperties: { text },
  createdAt,
  updatedAt,
});

function update(context: Context, dataSetId: number, wishesIn: WishesIn) {
  const { state, caller, services } = context;
  const dataSet = state.dataSets.get(dataSetId);
  const session = dataSet && state.sessions.get(dataSet.sessionId);
  if (dataSet === undefined || session?.organizationId !== caller.organizationId)
    throw notFound(`data set ${dataSetId}`);
  const wishes = wishesIn(session);
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
    actions.filter(({ commandId }) => isMeant(commandId)).map((action) => actionView(dataSet.id, action));
  const named = new Set([...wanted.keys()].map(({ id }) => id));
  const failed = views((id) => named.has(id) && !done.has(id));
  // what names no action has no values: its entry says no more than what was named
  const nowhere = [
    ...[...wanted.keys()].filter(({ id }) => !own.has(id)).map(({ id: commandId }) => ({ commandId })),
    ...wishes
      .filter(({ commands }) => commands.length === 0)
      .map(({ commandId }) => omitUndefined({ commandId })),
  ].map((each) => ({ dataSetId: dataSet.id, ...each }));
  const once = [...new Map(nowhere.map((each) => [JSON.stringify(each), each])).values()];
  return {
    message: failed.length + once.length > 0 ? 'Some actions were not updated' : 'The actions were updated',
    data: { successfulActions: views((id) => done.has(id)), failedActions: [...failed, ...once] },
  };
}

export const dataSets: HandlersOf<'dataSets'> = {
  list(call) {
    const session = sessionFor(call, call.input.exploringSessionId);
    const info = session.udid === undefined ? undefined : call.state.device(session.udid)?.info;
    const { deviceName, platformName, platformVersion } = info ?? {};
    const assignedDevice = info && omitUndefined({ deviceName, platformName, platformVersion });
    return call.state.dataSets
      .filter(({ sessionId }) => sessionId === session.id)
      .map(({ id, name, createdAt, actions }) => ({
        id,
        name,
        exploringSessionId: session.id,
        isAssignedDevice: assignedDevice !== undefined,
        ...(assignedDevice && { assignedDevice }),
        createdAt,
        totalActionCount: actions.length,
        editedActionCount: actions.filter(({ isEdited }) => isEdited).length,
      }));
  },

  createByCommand: (call) => create(call, call.input.exploringSessionId, byCommand(call.input)),
  createByElement: (call) => create(call, call.input.exploringSessionId, byElement(call.input)),
  updateByCommand: (call) => update(call, call.input.dataSetId, byCommand(call.input)),
  updateByElement: (call) => update(call, call.input.dataSetId, byElement(call.input)),
};
