import { useState } from "react";
import { Money } from "../../ui/money";
import { euroFormatter } from "../../ui/number-formats";
import { Table, Td, Th } from "../../ui/table";

interface Day {
  /** YYYY-MM-DD */
  day: string;
  spent: number;
  count: number;
}

/** Shows a bar chart of spend by day, with the same figures as a table. */
export function DayChart({ days }: { days: Day[] }) {
  const top = axisTop(Math.max(...days.map(({ spent }) => spent)));
  return (
    <>
      <div aria-hidden className="mt-4 flex gap-3 text-xs text-soft">
        <div className="flex h-44 flex-col justify-between text-right tabular-nums">
          {[top, top / 2, 0].map((euros) => (
            <span key={euros} className="-my-2">
              {formatAxisLabel(euros)}
            </span>
          ))}
        </div>
        <div className="min-w-0 flex-1">
          <div className="relative h-44">
            <div className="absolute inset-0 flex flex-col justify-between">
              <hr className="border-line" />
              <hr className="border-line" />
              <hr className="border-strong-line" />
            </div>
            <div className={`absolute inset-0 flex ${days.length > 31 ? "gap-px" : "gap-0.5 sm:gap-1"}`}>
              {days.map((day, index) => (
                <Column key={day.day} day={day} top={top} side={sideOf(index / days.length)} />
              ))}
            </div>
          </div>
          <div className="mt-2 flex justify-between tabular-nums">
            {[days[0], days[Math.floor(days.length / 2)], days.at(-1)].map((day) => (
              <span key={day!.day}>{formatDay(day!.day)}</span>
            ))}
          </div>
        </div>
      </div>
      <DayTable days={days} />
    </>
  );
}

function Column({ day: { day, spent, count }, top, side }: { day: Day; top: number; side: string }) {
  const [isHovered, setHovered] = useState(false);
  return (
    <div
      data-day={day}
      className="group relative flex flex-1 items-end hover:bg-sunken"
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
    >
      {spent > 0 && (
        <div
          className="min-h-0.5 w-full rounded-t-xs bg-accent group-hover:opacity-80"
          style={{ height: `${(100 * spent) / top}%` }}
        />
      )}
      {isHovered && (
        <div
          className={`pointer-events-none absolute bottom-full z-10 mb-1 rounded-lg border border-line bg-raised px-3 py-2 whitespace-nowrap text-ink shadow-raised ${side}`}
        >
          <span className="block text-soft">{formatDay(day)}</span>
          <Money euros={spent} className="font-semibold" /> · {count.toLocaleString("en")} billed
        </div>
      )}
    </div>
  );
}

// Keeps the tooltip inside the card at either edge.
const sideOf = (position: number) =>
  position < 0.25 ? "left-0" : position > 0.75 ? "right-0" : "left-1/2 -translate-x-1/2";

function DayTable({ days }: { days: Day[] }) {
  const daysWithSpend = days.filter(({ count }) => count > 0).reverse();
  if (daysWithSpend.length === 0) return null;
  return (
    <details className="mt-3 text-sm">
      <summary className="w-fit cursor-pointer rounded-md text-xs text-soft hover:text-ink">Show as table</summary>
      <div className="mt-2 max-h-64 overflow-y-auto rounded-lg border border-line">
        <Table label="Spend by day">
          <thead>
            <tr>
              <Th>Day</Th>
              <Th className="text-right">Billed generations</Th>
              <Th className="text-right">Spend</Th>
            </tr>
          </thead>
          <tbody>
            {daysWithSpend.map(({ day, spent, count }) => (
              <tr key={day}>
                <Td>{day}</Td>
                <Td className="text-right tabular-nums">{count.toLocaleString("en")}</Td>
                <Td className="text-right">
                  <Money euros={spent} exact />
                </Td>
              </tr>
            ))}
          </tbody>
        </Table>
      </div>
    </details>
  );
}

const shortDay = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" });
const formatDay = (day: string) => shortDay.format(new Date(day));
const formatAxisLabel = euroFormatter(0, 9);

const STEPS = [1, 2, 4, 10];

/** Returns the next round amount at or above `max` whose half is round too; 1 when `max` is 0. */
export function axisTop(max: number): number {
  if (max <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(max));
  const step = STEPS.find((one) => one * power >= max) ?? 10;
  // Rounded, because 4 × 0.01 has floating-point noise.
  return Number((step * power).toPrecision(1));
}
