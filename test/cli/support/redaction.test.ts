import { describe, expect, it } from 'vitest';
import { hostsIn, personalIn, redaction, tokensIn } from '../../../src/cli/support/redaction.ts';
import { readConfig } from '../../../src/config/load.ts';
import { Secret } from '../../../src/config/secrets.ts';

describe('the redaction of a support bundle', () => {
  it('gives a value the same stand-in in every part, in texts too, and changes no key, number or shape', () => {
    const parts = [
      { phones: [{ udid: 'R58M12ABCDE', name: 'Anna', level: 0.5, isHot: true, slot: 'rack 2, bay 4' }] },
      { title: 'Anna has been hot, and R58M12ABCDE was lost (r58m12abcde)' },
    ] as const;
    const clean = redaction(parts, ['Anna']);
    const [first, second] = [clean(parts[0]), clean(parts[1])];
    const [phone] = first.phones;
    expect(phone).toEqual({
      ...{ level: 0.5, isHot: true, slot: 'rack 2, bay 4' },
      udid: expect.stringMatching(/^[A-Z]\d\d[A-Z]\d\d[A-Z]{5}$/),
      name: expect.stringMatching(/^[A-Z][a-z]{3}$/),
    });
    expect([phone.udid, phone.name]).not.toEqual(['R58M12ABCDE', 'Anna']);
    const { udid, name } = phone;
    expect(second.title).toBe(`${name} has been hot, and ${udid} was lost (${String(udid).toLowerCase()})`);
  });

  it('finds what is personal by its key, however deep, and by its form; never an ordinary word', () => {
    const part = {
      cloud: { username: 'lab@example.org', baseUrl: 'https://cloud.lab.example/v1' },
      inventory: { expected: [{ serial: 'AB12', owner: 'Bo', assetTag: 'T-7' }] },
      note: 'Bo put T-7 (AB12) where 10.1.2.34 was; IMEI 490154203237518',
      state: 'device',
      title: 'the host has too many phones',
      serials: [{ serial: 'device' }, { deviceName: 'host' }, { udid: 'emulator-5554@rack-9' }],
    };
    const text = JSON.stringify(redaction([part], [])(part));
    expect(text).not.toMatch(/lab@example|cloud\.lab|\bAB12|\bBo\b|T-7|10\.1\.2\.34|490154203237518|rack-9/);
    expect(text).toContain('"state":"device","title":"the host has too many phones"');
    expect(text).toContain('emulator-5554');
  });

  it('leaves no token of an endpoint, no part of a home path and no person’s name in a slot', () => {
    const endpoint = 'https://otlp.example.com/glc-eyJrIjoi/api/v1/otlp/v1/metrics';
    const part = {
      settings: {
        'metrics.otlp.endpoint': { value: endpoint, from: '/home/alice/acme-rollout/hostnode.yaml:4' },
        slots: { value: [{ name: 'rack-2 Priya’s bay 4', paths: ['1-4.2'] }] },
      },
      events: [{ slot: 'rack 2, shelf3, Tomasz', title: 'rack 2, shelf3, Tomasz lost Priya’s phone' }],
      log: `pushed to ${endpoint}: acme-rollout of alice`,
    };
    const text = JSON.stringify(redaction([part], tokensIn(endpoint))(part));
    expect(text).not.toMatch(/eyJrIjoi|\/glc-|alice|acme|Priya|Tomasz/);
    for (const kept of ['/api/v1/otlp/v1/metrics', 'rack 2, shelf3, ', 'rack-2 ', ' bay 4', '1-4.2'])
      expect(text).toContain(kept);
  });

  it('leaves no name of a machine of the lab, and those that all labs have', async () => {
    const env = {
      ...{ HOSTNODE_ADB_HOST: 'box9', HOSTNODE_STATUS_HOST_NAMES: '["rack.zeta.example"]' },
      ...{ HTTPS_PROXY: 'http://who:pass@gate.zeta.example:3128', http_proxy: 'gate2.zeta.example:8080' },
      ...{ HOSTNODE_CLOUD_BASE_URL: 'https://cloud.zeta.example/v1', HOSTNODE_CLOUD_USERNAME: 'ops' },
      HOSTNODE_CLOUD_API_KEY: 'key',
    };
    const { config } = await readConfig({ env, defaultFile: '' });
    const part = [
      { 'adb.host': 'box9', seen: 'cloud.zeta.example:443 accepts connections' },
      'the proxy gate.zeta.example:3128 (HTTPS_PROXY), gate2.zeta.example:8080; rack.zeta.example; box9:5037',
      'connectivitycheck.gstatic.com 127.0.0.1:9477',
    ];
    const text = JSON.stringify(redaction([part], hostsIn(config, env))(part));
    expect(text).not.toMatch(/zeta|box9/);
    expect(text).toContain('connectivitycheck.gstatic.com 127.0.0.1:9477');
  });

  it('leaves the place that sets a personal setting', () => {
    const part = { settings: { nodeId: { value: 'rack-two', from: 'hostnode.yaml:4' } } };
    expect(redaction([part], [])(part)).toEqual({
      settings: { nodeId: { value: expect.not.stringMatching('rack-two'), from: 'hostnode.yaml:4' } },
    });
  });

  it('leaves no secret, nor the name in a network address', () => {
    const known = personalIn({
      apiKey: new Secret('k3y-that-nobody-may-see'),
      udid: 'phone7.lab.example:5555',
    });
    const said = 'Basic k3y-that-nobody-may-see for phone7.lab.example';
    expect(redaction([said], known)(said)).not.toMatch(/nobody|phone7/);
  });

  it('handles more values than one pattern can hold', () => {
    const udids = Array.from({ length: 3000 }, (_, index) => `SERIAL${String(index).padStart(6, '0')}X`);
    const part = { udids, text: `lost: ${udids.at(-1)} and ${udids[0]}` };
    const clean = redaction([part], [])(part);
    expect(clean.text).toBe(`lost: ${clean.udids.at(-1)} and ${clean.udids[0]}`);
    expect(clean.udids.filter((udid) => udids.includes(udid))).toEqual([]);
  });
});
