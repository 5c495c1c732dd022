import { describe, expect, it } from 'vitest';
import { contract, operations } from '../../src/cloud/contract/index.ts';
import type { Operation } from '../../src/cloud/contract/operation.ts';
import { CloudArgumentError } from '../../src/cloud/errors.ts';
import { prepare } from '../../src/cloud/request.ts';

/** The problems of an input. */
function problemsOf(operation: Operation, input: unknown): readonly string[] {
  try {
    prepare(operation, input as Record<string, unknown>);
  } catch (error) {
    if (error instanceof CloudArgumentError) return error.problems;
    throw error;
  }
  return [];
}

const { apps, versions, organization, dataSets, devices, v2 } = contract;
const noMeaning = 'the API does not say whether none means all';

describe('an input that is wrong', () => {
  it.each<[Operation, unknown, string[]]>([
    [apps.get, {}, ['appId is missing: must be a whole number above 0']],
    [apps.get, { appId: '12' }, ['appId = "12": must be a whole number above 0']],
    [apps.get, { appId: 0 }, ['appId = 0: must be a whole number above 0']],
    [apps.get, { appId: Number.NaN }, ['appId = NaN: must be a whole number above 0']],
    [apps.get, { appId: 12n }, ['appId = 12: must be a whole number above 0']],
    [apps.get, { appId: Symbol('id') }, ['appId = Symbol(id): must be a whole number above 0']],
    [apps.get, { appId: [12n] }, ['appId = an object that JSON cannot hold: must be a whole number above 0']],
    [apps.get, { appId: 1.5 }, ['appId = 1.5: must be a whole number above 0']],
    [apps.get, { appId: 1, appid: 2 }, ['appid: unknown; known are appId']],
    [apps.list, { page: 2 }, ['page: unknown; it takes no input']],
    [apps.get, null, ['the input must be an object with appId']],
    [apps.delete, {}, [`appIds is missing: must be a list of at least one app: ${noMeaning}`]],
    [apps.delete, { appIds: [] }, [`appIds = []: must be a list of at least one app: ${noMeaning}`]],
    [apps.delete, { appIds: [1, 0.5] }, ['appIds[1] = 0.5: must be a whole number above 0']],
    [
      apps.assignTeams,
      { appId: 1, teamIds: [] },
      [`teamIds = []: must be a list of at least one team: ${noMeaning}`],
    ],
    [apps.uploadUrl, { filename: '' }, ['filename = "": must be non-empty text']],
    [
      versions.assignTag,
      { versionId: 1, name: 'a b' },
      ['name = "a b": must be 1 to 32 characters without blanks, other than "." and ".."'],
    ],
    [
      versions.unassignTag,
      { versionId: 1, name: '..' },
      ['name = "..": must be 1 to 32 characters without blanks, other than "." and ".."'],
    ],
    [organization.activateMember, {}, ['email is missing: must be an email address']],
    [organization.activateMember, { email: 'asha' }, ['email = "asha": must be an email address']],
    [organization.createMember, { email: 'a@b.c', password: 7 }, ['password: must be non-empty text']],
    [devices.status, { deviceId: '..' }, ['deviceId = "..": must be non-empty text other than "." and ".."']],
    [
      devices.list,
      { deviceName: ['Lab 1, top'] },
      [
        'deviceName[0] = "Lab 1, top": must be text without a comma: the API uses commas between several values',
      ],
    ],
    [devices.list, { isBooked: 'yes' }, ['isBooked = "yes": must be true or false']],
    [
      dataSets.updateByCommand,
      { dataSetId: 1, dataSetActions: [{ commandId: 5 }] },
      ['dataSetActions[0].value is missing: must be text'],
    ],
    [
      dataSets.updateByElement,
      { dataSetId: 1, dataSetActions: [{ elementProperty: 7, value: '' }] },
      ['dataSetActions[0].elementProperty = 7: must be an object of attribute names with their texts'],
    ],
    [
      v2.createMember,
      { email: 'a@b.c', username: 'a' },
      ['give either password or enable_sso: true, not both'],
    ],
    [
      v2.createMember,
      { email: 'a@b.c', username: 'a', password: 'p', enable_sso: true },
      ['give either password or enable_sso: true, not both'],
    ],
    [
      v2.terminateReservations,
      { reservation_ids: [''] },
      ['reservation_ids[0] = "": must be a number or text'],
    ],
  ])('%# is named, with what is allowed', (operation, input, problems) => {
    expect(problemsOf(operation, input)).toEqual(problems);
  });

  it('is told with all others at once', () => {
    expect(problemsOf(organization.assignRole, { email: '' })).toHaveLength(2);
  });

  it('is shown in one line, cut', () => {
    const [problem = ''] = problemsOf(apps.get, { appId: `\u202e\n${'x'.repeat(500)}` });
    expect(problem).toMatch(/^appId = "[ -~]*…?: must be a whole number above 0$/u);
    expect(problem.length).toBeLessThan(130);
  });

  it.each(operations.filter(({ params, body }) => Object.keys(params.shape).length + (body ? 1 : 0) > 0))(
    '$id refuses an empty input',
    (operation) => {
      expect(problemsOf(operation, {}).length).toBeGreaterThan(0);
    },
  );
});

describe('an input that fits', () => {
  it('may have values that are undefined: they count as left out', () => {
    const request = prepare(apps.uploadUrl, { filename: 'a.apk', appId: undefined } as never);
    expect(request).toMatchObject({ path: '/apps/uploadUrl', body: { filename: 'a.apk' } });
    expect(Object.keys(request.body ?? {})).toEqual(['filename']);
  });
});
