import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  type ChartDataset,
  type ChartType,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from "chart.js";

Chart.register(
  BarController,
  BarElement,
  CategoryScale,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
);

export type DrawnChart = Chart<ChartType, (number | null)[], string>;
type Dataset = ChartDataset<ChartType, (number | null)[]>;

const bar = { type: "bar", borderRadius: 2, maxBarThickness: 48 } as const;
const curve = { type: "line", borderWidth: 2, pointRadius: 1.5, spanGaps: true } as const;

/** Stacked bars or curves, and lines across them. */
export interface ChartData {
  /** What the bars are called. */
  times: string[];
  /** Each with one of the colours of `globals.css`, a value for each time, and the page that a part of a bar opens. */
  series: {
    name: string;
    colour: number;
    values: (number | null)[];
    links: (string | undefined)[];
    isCurve?: boolean;
  }[];
  lines: { name: string; value: number }[];
  format: (value: number) => string;
}

/** Draws a chart in the colours of the page. `open` is called with the page of the part that is clicked. */
export function drawChart(
  canvas: HTMLCanvasElement,
  { times, series, lines, format }: ChartData,
  open: (href: string) => void,
): DrawnChart {
  const colourOf = createColourReader(canvas);
  const shown: Dataset[] = series.map(({ name, colour, values, isCurve = false }) => ({
    ...(isCurve ? curve : bar),
    label: name,
    data: values,
    backgroundColor: colourOf(`--series-${colour}`),
    borderColor: colourOf(`--series-${colour}`),
    // Curves are not stacked.
    stack: isCurve ? name : "all",
  }));
  const marks: Dataset[] = lines.map(({ name, value }) => ({
    type: "line",
    label: name,
    data: times.map(() => value),
    borderColor: colourOf("--danger"),
    borderDash: [6, 4],
    borderWidth: 1.5,
    pointRadius: 0,
    pointHitRadius: 0,
  }));
  const grid = { color: colourOf("--line") };
  const ticks = { color: colourOf("--soft"), font: { family: getComputedStyle(canvas).fontFamily, size: 12 } };
  const hrefAt = (event: { native: Event | null }) => {
    const [hit] = chart.getElementsAtEventForMode(event.native!, "nearest", { intersect: true }, false);
    return hit && series[hit.datasetIndex]?.links[hit.index];
  };
  const chart: DrawnChart = new Chart(canvas, {
    type: "bar",
    data: { labels: times, datasets: [...shown, ...marks] },
    options: {
      animation: false,
      maintainAspectRatio: false,
      onClick: (event) => {
        const href = hrefAt(event);
        if (href) open(href);
      },
      onHover: (event) => void (canvas.style.cursor = hrefAt(event) ? "pointer" : ""),
      scales: {
        x: { stacked: true, grid: { display: false }, ticks: { ...ticks, maxRotation: 0, autoSkipPadding: 16 } },
        y: {
          stacked: true,
          beginAtZero: true,
          border: { display: false },
          grid,
          ticks: { ...ticks, maxTicksLimit: 5, callback: (value) => format(Number(value)) },
        },
      },
      plugins: {
        tooltip: {
          mode: "index",
          filter: ({ parsed }) => Boolean(parsed.y),
          itemSort: (one, other) => (other.parsed.y ?? 0) - (one.parsed.y ?? 0),
          callbacks: { label: ({ dataset, parsed }) => `${dataset.label}: ${format(parsed.y ?? 0)}` },
        },
      },
    },
  });
  return chart;
}

/** Returns a reader of the colours of `globals.css`, which depend on the theme and on forced colours. */
function createColourReader(canvas: HTMLCanvasElement): (name: string) => string {
  const probe = document.createElement("span");
  canvas.parentElement!.append(probe);
  // Removed in a microtask, when the colours have been read.
  queueMicrotask(() => probe.remove());
  return (name) => {
    probe.style.cssText = `forced-color-adjust: none; color: var(${name})`;
    return getComputedStyle(probe).color;
  };
}
