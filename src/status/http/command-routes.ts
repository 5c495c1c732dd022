/** The commands for a running agent, over HTTP on the Unix socket. */
import * as z from 'zod';
import { type Commands, MOST_NOTE } from '../commands.ts';
import { type AppRequest, checked, json, type Routes } from './app.ts';

const maintenanceBody = z.strictObject({
  until: z.number().int(),
  reason: z.string().trim().min(1).max(300),
});

const noteBody = z.strictObject({
  text: z
    .string()
    .trim()
    .min(1)
    .refine((text) => [...text].length <= MOST_NOTE),
  by: z.string().max(100).exactOptional(),
});

const historyQuery = z.object({
  since: z.coerce.number().min(0).max(8.64e15),
  before: z.coerce.number().int().min(1).exactOptional(),
});

/** @param changed is called after each command that may have changed something */
export function addCommands(app: Routes, commands: Commands, changed: () => void): void {
  const command = (
    method: 'POST' | 'DELETE',
    path: string,
    run: (name: string, request: AppRequest) => Promise<unknown>,
  ) =>
    app.on(method, path, async (request) => {
      const { name = '' } = request.params;
      try {
        return json(await run(name, request));
      } finally {
        changed();
      }
    });

  command('POST', '/report', () => commands.report());
  command('POST', '/phones/:name/forget', async (name) => ({ udid: await commands.forget(name) }));
  command('POST', '/phones/:name/maintenance', async (name, request) => {
    const wanted = checked(
      maintenanceBody,
      await request.body(),
      'maintenance needs {"until": ms since the epoch, "reason": text of 1 to 300 characters}',
    );
    return { phones: await commands.maintain(name, wanted) };
  });
  command('DELETE', '/phones/:name/maintenance', async (name) => ({
    phones: await commands.endMaintenance(name),
  }));
  command('POST', '/notes/:name', async (name, request) =>
    commands.note(
      name,
      checked(
        noteBody,
        await request.body(),
        `a note needs {"text": 1 to ${MOST_NOTE} characters, "by": who wrote it, at most 100 characters}`,
      ),
    ),
  );

  app.on('GET', '/maintenance', () => json(commands.maintenances()));
  app.on('GET', '/phones/:name/maintenance', ({ params: { name = '' } }) =>
    json({ phones: commands.maintainable(name) }),
  );
  app.on('GET', '/history', async ({ query }) =>
    json(
      await commands.history(
        checked(historyQuery, query, 'history takes since (ms since the epoch) and before (id of an event)'),
      ),
    ),
  );
}
