/** `history.json`, as earlier versions wrote it. */
import * as z from 'zod';

export const HistoryRecord = z.object({
  version: z.literal(1),
  phones: z.record(
    z.string(),
    z.object({
      /** Number of the five minutes since the epoch, percent, tenths of °C. */
      samples: z.array(z.tuple([z.number(), z.number().nullable(), z.number().nullable()])),
      /** Newest first. `state`: adb's word, where that is what happened. */
      happenings: z.array(z.object({ at: z.number(), what: z.string(), state: z.string().exactOptional() })),
    }),
  ),
});
export type HistoryRecord = z.infer<typeof HistoryRecord>;
