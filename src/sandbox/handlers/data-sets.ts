/** Data sets: texts that replace those of a session's commands. */
import { type Call, type HandlersOf, notFound, Problem, timeOf } from '../handler.ts';
import type { Command, DataSet, DataSetAction, Session } from '../state.ts';

/** The commands that support data-driven values. */
const TYPED = 'TYPE_KEYBOARD';

type Context = Pick<Call, 'state' | 'caller' | 'services'>;
/** A wanted text, and the commands that it is for. */
interface Wish {
  readonly commands: readonly Command[];
  readonly value: string;
  /** What the caller wrote to name the commands. */
  readonly named: Record<string, unknown>;
}

function sessionFor({ state, caller }: Context, id: number): Session {
  const session = state.sessions.get(id);
  if (session?.organizationId !== caller.organizationId) throw notFound(`exploring session ${id}`);
  return session;
}

function dataSetFor(context: Context, id: number): { dataSet: DataSet; session: Session } {
  const dataSet = context.state.dataSets.get(id);
  const session = dataSet && context.state.sessions.get(dataSet.sessionId);
  if (dataSet === undefined || session?.organizationId !== context.caller.organizationId)
    throw notFound(`data set ${id}`);
  return { dataSet, session };
}

const byCommand = (session: Session, wishes: readonly { commandId: number; value: string }[] = []): Wish[] =>
  wishes.map(({ commandId, value }) => ({
    commands: session.commands.filter(({ id }) => id === commandId),
    value,
    named: { commandId },
  }));

const byElement = (
  session: Session,
  wishes: readonly { elementProperty: Record<string, string>; value: string }[] = [],
): Wish[] =>
  wishes.map(({ elementProperty, value }) => ({
    commands: session.commands.filter(({ element }) =>
      Object.entries(elementProperty).every(([name, text]) => element[name] === text),
    ),
    value,
    named: { elementProperty },
  }));

/** Can a text be typed here? */
const takes = ({ actionType, maxLength = Infinity }: Command, value: string): boolean =>
  actionType === TYPED && value.length <= maxLength;

function create(context: Context, session: Session, wishes: readonly Wish[]) {
  const { state, caller, services } = context;
  const wrong = wishes.find(
    ({ commands, value }) => commands.length === 0 || !commands.every((command) => takes(command, value)),
  );
  if (wrong !== undefined)
    throw new Problem(
      400,
      `no command takes this text: ${JSON.stringify({ ...wrong.named, value: wrong.value })}`,
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

function update({ state, services }: Context, dataSet: DataSet, wishes: readonly Wish[]) {
  const now = timeOf(services.now());
  const actions = new Map(dataSet.actions.map((action) => [action.commandId, action]));
  const changed = new Set<number>();
  const failed = new Set<number>();
  // what names no action, each once
  const nowhere = new Map<string, Record<string, unknown>>();
  const failNowhere = (named: object) =>
    nowhere.set(JSON.stringify(named), { dataSetId: dataSet.id, ...named });
  for (const { commands, value, named } of wishes) {
    if (commands.length === 0) failNowhere(named);
    for (const command of commands) {
      const action = actions.get(command.id);
      if (action === undefined) failNowhere({ commandId: command.id });
      else if (!takes(command, value)) failed.add(command.id);
      else {
        actions.set(command.id, { ...action, text: value, isEdited: true, updatedAt: now });
        changed.add(command.id);
      }
    }
  }
  const updatedAt = changed.size > 0 ? now : dataSet.updatedAt;
  const { actions: stored } = state.dataSets.put({ ...dataSet, updatedAt, actions: [...actions.values()] });
  const views = (ids: ReadonlySet<number>) =>
    stored.filter(({ commandId }) => ids.has(commandId)).map((action) => actionView(dataSet.id, action));
  return {
    message: failed.size + nowhere.size > 0 ? 'Some actions were not updated' : 'The actions were updated',
    data: { successfulActions: views(changed), failedActions: [...views(failed), ...nowhere.values()] },
  };
}

export const dataSets: HandlersOf<'dataSets'> = {
  list(call) {
    const session = sessionFor(call, call.input.exploringSessionId);
    return call.state.dataSets
      .filter(({ sessionId }) => sessionId === session.id)
      .map(({ id, name, createdAt, actions }) => ({
        id,
        name,
        exploringSessionId: session.id,
        isAssignedDevice: false,
        createdAt,
        totalActionCount: actions.length,
        editedActionCount: actions.filter(({ isEdited }) => isEdited).length,
      }));
  },

  createByCommand(call) {
    const session = sessionFor(call, call.input.exploringSessionId);
    return create(call, session, byCommand(session, call.input.dataSetActions));
  },

  createByElement(call) {
    const session = sessionFor(call, call.input.exploringSessionId);
    return create(call, session, byElement(session, call.input.dataSetActions));
  },

  updateByCommand(call) {
    const { dataSet, session } = dataSetFor(call, call.input.dataSetId);
    return update(call, dataSet, byCommand(session, call.input.dataSetActions));
  },

  updateByElement(call) {
    const { dataSet, session } = dataSetFor(call, call.input.dataSetId);
    return update(call, dataSet, byElement(session, call.input.dataSetActions));
  },
};
