/** One quantity over time. */
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { Sample } from '../host-status.ts';
import { lonely, type Span } from './plot-times.ts';
import { moment } from './words.ts';

export interface Quantity {
  title: string;
  unit: string;
  digits: number;
  /** The smallest range of the axis. */
  range: readonly [number, number];
  /** Drawn as a line: above it the phone suffers. */
  limit?: number;
  read(sample: Sample): number | undefined;
}

interface Props {
  samples: readonly Sample[];
  quantity: Quantity;
  span: Span;
  /** The host's time: the end of the axis, ms since the epoch. */
  until: number;
}

const HEIGHT = 110;
/** The bars of the days stand as far from the edge: `.strip`. */
const AXIS_PX = 48;

export function Plot({ samples, quantity, span, until }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const data = useRef<uPlot.AlignedData>([[]]);
  data.current = dataOf(samples, quantity, span);
  const end = useRef(until);
  end.current = until;
  useEffect(() => {
    const { current } = place;
    if (current === null) return;
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const draw = () => {
      plot.current?.destroy();
      const options = optionsFor(quantity, span, current, {
        isDark: scheme.matches,
        until: () => end.current,
      });
      plot.current = new uPlot(options, data.current, current);
    };
    const width = new ResizeObserver(() =>
      plot.current?.setSize({ width: current.clientWidth, height: HEIGHT }),
    );
    scheme.addEventListener('change', draw);
    draw();
    width.observe(current);
    return () => {
      scheme.removeEventListener('change', draw);
      width.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [quantity, span]);
  useEffect(() => plot.current?.setData(data.current), [samples]);
  return (
    <figure class="plot">
      <figcaption>
        {quantity.title} <span>{summary(samples, quantity)}</span>
      </figcaption>
      <div ref={place} aria-hidden="true" />
    </figure>
  );
}

/** The plot in words. */
function summary(samples: readonly Sample[], quantity: Quantity): string {
  const values = samples.flatMap((sample) => quantity.read(sample) ?? []);
  const [last] = values.slice(-1);
  if (last === undefined) return 'not known';
  const spelled = (value: number) => `${value.toFixed(quantity.digits)}\u00a0${quantity.unit}`;
  const [least, most] = [Math.min(...values), Math.max(...values)].map(spelled);
  return least === most ? `last ${most}` : `last ${spelled(last)}, from ${least} to ${most}`;
}

function dataOf(samples: readonly Sample[], { read }: Quantity, { gapMs }: Span): uPlot.AlignedData {
  const [times, values]: [number[], (number | null)[]] = [[], []];
  let before: number | undefined;
  for (const sample of samples) {
    if (before !== undefined && sample.at - before > gapMs) {
      times.push((before + sample.at) / 2000);
      values.push(null);
    }
    times.push(sample.at / 1000);
    values.push(read(sample) ?? null);
    before = sample.at;
  }
  return [times, values];
}

function optionsFor(
  { title, unit, digits, range, limit }: Quantity,
  { ticksMs, width, label, begin, end }: Span,
  place: HTMLElement,
  { isDark, until }: { isDark: boolean; until(): number },
): uPlot.Options {
  const style = getComputedStyle(place);
  const colour = (name: string) => style.getPropertyValue(`--${name}`);
  const [low, high] = range;
  const axis: uPlot.Axis = {
    stroke: colour('muted'),
    font: `12px ${style.fontFamily}`,
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
  };
  return {
    width: place.clientWidth,
    height: HEIGHT,
    cursor: { y: false, drag: { setScale: false } },
    scales: {
      // always all of it: a phone that came today shows a short line, and two phones compare
      x: { range: () => [begin(until()) / 1000, end(until()) / 1000] },
      y: { range: (_, min, max) => [Math.min(low, Math.floor(min)), Math.max(high, Math.ceil(max))] },
    },
    series: [
      { label: 'at', value: (_, seconds) => (seconds === null ? '' : moment(seconds * 1000, Date.now())) },
      {
        label: title,
        stroke: colour('accent'),
        width: isDark ? width + 0.75 : width,
        points: {
          show: true,
          size: 5,
          fill: colour('accent'),
          filter: ({ data }) => lonely(Array.from(data[1] ?? [])),
        },
        value: (_, value) => (value === null ? '' : `${value.toFixed(digits)} ${unit}`),
      },
    ],
    axes: [
      {
        ...axis,
        size: 20,
        space: 60,
        incrs: ticksMs.map((ms) => ms / 1000),
        values: (_, seconds) => seconds.map((each) => label(each * 1000)),
      },
      { ...axis, size: AXIS_PX, space: 30, values: (_, all) => all.map((each) => `${each} ${unit}`) },
    ],
    padding: [8, 0, 0, 0],
    hooks: limit === undefined ? {} : { draw: [(plot) => drawLimit(plot, limit, colour('trouble'))] },
  };
}

function drawLimit({ ctx, bbox, valToPos }: uPlot, limit: number, colour: string): void {
  const y = Math.round(valToPos(limit, 'y', true));
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.setLineDash([6, 4]);
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.restore();
}
