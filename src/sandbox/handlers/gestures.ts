/** Gestures: each user's own. */
import { type HandlersOf, notFound } from '../handler.ts';

export const gestures: HandlersOf<'gestures'> = {
  list({ state, caller, around }) {
    const own = state.gestures
      .filter(({ userId }) => userId === caller.id)
      .map(({ id, name, command }) => ({ id, name, command }));
    return around.gestures === 'object' ? (own.at(-1) ?? []) : own;
  },

  save({ state, caller, input: { name, command } }) {
    state.gestures.add({ userId: caller.id, name, command });
  },

  delete({ state, caller, input: { id } }) {
    const gesture = state.gestures.find((each) => String(each.id) === id && each.userId === caller.id);
    if (gesture === undefined) throw notFound(`gesture ${id}`);
    state.gestures.remove(gesture.id);
  },
};
