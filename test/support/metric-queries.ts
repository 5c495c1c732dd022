/** The queries that hostnode ships: those of its alerts and those of its dashboard. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export interface Alert {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}

interface Target {
  refId: string;
  expr: string;
}

export interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  datasource?: { uid: string };
  fieldConfig?: { defaults: { unit?: string } };
  targets?: Target[];
}

interface Variable {
  name: string;
  type: string;
  query: string | { query: string };
}

const config = new URL('../../config/', import.meta.url);

export const rulesFolder = new URL('prometheus/', config).pathname;

const read = (path: string): string => readFileSync(new URL(path, config), 'utf8');

const { groups } = parse(read('prometheus/hostnode.rules.yml')) as {
  groups: { name: string; rules: Alert[] }[];
};

/** The alerts of a group: `hostnode-phones` or `hostnode-hosts`. */
export const alertsOf = (group: string): Alert[] => groups.find(({ name }) => name === group)?.rules ?? [];

export const alerts = groups.flatMap(({ rules }) => rules);

/** The names of the alerts that a unit test expects to fire. */
export function testedAlerts(): Set<string> {
  const { tests } = parse(read('prometheus/hostnode.test.yml')) as {
    tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
  };
  const cases = tests.flatMap(({ alert_rule_test }) => alert_rule_test);
  return new Set(cases.filter((each) => each.exp_alerts.length > 0).map(({ alertname }) => alertname));
}

export const dashboard: { panels: Panel[]; templating: { list: Variable[] } } = JSON.parse(
  read('grafana/hostnode.json'),
);

export interface DashboardQuery {
  panel: string;
  /** With a value in place of each of Grafana's variables. */
  expr: string;
}

const values: Readonly<Record<string, string>> = {
  job: 'hostnode',
  instance: 'lab:9477',
  __rate_interval: '5m',
};

/** @throws {RangeError} on a variable that the dashboard does not have */
export const dashboardQueries = (): DashboardQuery[] =>
  dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({
      panel: title,
      expr: expr.replace(/\$(\w+)/g, (_, name) => {
        const value = values[name];
        if (value === undefined) throw new RangeError(`${title}: no variable $${name}`);
        return value;
      }),
    })),
  );

/** Metrics of ours that a query names. */
export const namesIn = (expr: string): string[] => expr.match(/\b(?:hostnode|process)_[a-z0-9_]+\b/g) ?? [];
