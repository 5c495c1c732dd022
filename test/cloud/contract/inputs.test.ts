import { describe, expect, it } from 'vitest';
import { contract, operations } from '../../../src/cloud/contract/index.ts';
import { flagOf, inputsOf, valueOfText } from '../../../src/cloud/contract/inputs.ts';
import type { Operation } from '../../../src/cloud/contract/operation.ts';

const kindsOf = (operation: Operation) =>
  Object.fromEntries(inputsOf(operation).map(({ name, kind }) => [name, kind]));

describe('the inputs of an operation', () => {
  it('come from path, query and body, with what a flag needs to know', () => {
    const inputs = inputsOf(contract.apps.assignTeams);
    expect(inputs.map(({ name, place, kind, isRequired }) => [name, place, kind, isRequired])).toEqual([
      ['appId', 'path', 'integer', true],
      ['teamIds', 'body', 'integers', true],
    ]);
    expect(inputs[1]).toMatchObject({
      description: 'The ids of the teams.',
      allowed: 'a list of at least one team: the API does not say whether none means all',
      isSecret: false,
    });
  });

  it('say which are secret and which may be left out', () => {
    const inputs = inputsOf(contract.organization.createMember);
    expect(inputs.filter(({ isSecret }) => isSecret).map(({ name }) => name)).toEqual(['password']);
    expect(inputs.filter(({ isRequired }) => isRequired).map(({ name }) => name)).toEqual([
      'email',
      'password',
    ]);
    expect(inputs.find(({ name }) => name === 'username')?.description).toMatch(/^The user name;/);
  });

  it('know how each value is written', () => {
    expect(kindsOf(contract.devices.list)).toMatchObject({
      groupId: 'integer',
      udid: 'text',
      isBooked: 'boolean',
      deviceName: 'texts',
      platformVersion: 'texts',
    });
    expect(kindsOf(contract.dataSets.updateByElement)).toEqual({
      dataSetId: 'integer',
      dataSetActions: 'json',
    });
    expect(kindsOf(contract.v2.terminateReservations)).toEqual({ reservation_ids: 'integers' });
  });
});

describe('the flag of an input', () => {
  it.each([
    ['isBooked', '--booked'],
    ['platformVersion', '--platform-version'],
    ['enable_sso', '--enable-sso'],
    ['enableSso', '--enable-sso'],
    ['deviceUDID', '--device-udid'],
    ['issue', '--issue'],
  ])('of %s is %s', (name, flag) => {
    expect(flagOf(name)).toBe(flag);
  });

  it('is different from those of the other inputs', () => {
    for (const operation of operations) {
      const flags = inputsOf(operation).map(({ name }) => flagOf(name));
      expect(new Set(flags).size, operation.id).toBe(flags.length);
    }
  });
});

describe('the value of a text', () => {
  it.each([
    ['integer', '12', 12],
    ['integer', '-3', -3],
    ['integer', '1e3', '1e3'],
    ['integer', '', ''],
    ['boolean', 'true', true],
    ['boolean', 'false', false],
    ['boolean', 'yes', 'yes'],
    ['integers', '1,2', [1, 2]],
    ['integers', '1,x', [1, 'x']],
    ['texts', 'Pixel 8,Pixel 9', ['Pixel 8', 'Pixel 9']],
    ['text', '12', '12'],
    ['json', '{"a":[1]}', { a: [1] }],
    ['json', '{', '{'],
  ] as const)('%s %j is %j', (kind, text, value) => {
    expect(valueOfText(kind, text)).toEqual(value);
  });
});
