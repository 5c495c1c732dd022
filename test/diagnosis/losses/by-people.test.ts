import { describe, expect, it } from 'vitest';
import { mayBeByHand } from '../../../src/diagnosis/losses/by-people.ts';
import type { LossCauses } from '../../../src/diagnosis/losses/cause.ts';
import type { Loss, PlaceLoss } from '../../../src/diagnosis/losses/loss.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FRIDAY = Date.UTC(2027, 5, 4, 12);

/** Two phones of a hub, which two hands may have pulled, and which stayed away. */
function lostAt(at: number, hub = '1-4'): PlaceLoss {
  const losses = [0, 1].map((index) => ({ at: at + index, where: { hub } }) as Loss);
  return { kind: 'hub', hub, at, losses } as unknown as PlaceLoss;
}

const among = (placeLosses: PlaceLoss[]) =>
  ({ placeLosses, isTimeOfPeople: () => false }) as unknown as LossCauses;

describe('what people may have done when nobody is known to be there', () => {
  it.each([
    ['a week later', 0, '1-4', true],
    ['a week and an hour later', HOUR_MS, '1-4', true],
    ['a week less an hour later', -HOUR_MS, '1-4', true],
    ['two hours off', 2 * HOUR_MS, '1-4', false],
    ['two hours early', -2 * HOUR_MS, '1-4', false],
    ['a week later at another hub', 0, '1-5', false],
  ])('%s', (_, byMs, hub, isByHand) => {
    const lost = lostAt(FRIDAY + 7 * DAY_MS + byMs, hub);
    expect(mayBeByHand(lost, among([lostAt(FRIDAY), lost]))).toBe(isByHand);
  });

  it('is found in many thousands of losses by a look at each', () => {
    let looks = 0;
    const all = Array.from({ length: 3000 }, (_, index) => {
      const { losses, ...rest } = lostAt(FRIDAY + index * 60_000);
      return Object.defineProperty(rest, 'losses', {
        get: () => {
          looks += 1;
          return losses;
        },
      }) as PlaceLoss;
    });
    const causes = among(all);
    for (const each of all) mayBeByHand(each, causes);
    expect(looks).toBeLessThan(20 * all.length);
  });
});
