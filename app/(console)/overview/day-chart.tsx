import { useState } from "react";
import { useFormats } from "../../ui/formats-context";
import { Link } from "../../ui/link";
import { countDecimals, Money } from "../../ui/money";
import { Table, Td, Th } from "../../ui/table";
import { useRovingFocus } from "../../ui/use-roving-focus";
import { Count } from "../../ui/values";

interface Day {
  /** YYYY-MM-DD */
  day: string;
  spent: number;
  count: number;
}

interface Props {
  days: Day[];
  /** Returns the URL of a day's generations; absent for people who may not open it. */
  hrefOf?: (day: string) => string;
}

/** Shows a bar chart of spend by day, each day linked to its generations, with the same figures as a table. */
export function DayChart({ days, hrefOf }: Props) {
  const { euros: format, shortDay } = useFormats();
  const top = axisTop(Math.max(...days.map(({ spent }) => spent)));
  const decimals = countDecimals([top / 2]);
  return (
    <>
      <div className="mt-4 flex gap-3 text-xs text-soft">
        <div aria-hidden className="flex h-44 flex-col justify-between text-right tabular-nums">
          {[top, top / 2, 0].map((euros) => (
            <span key={euros} className="-my-2">
              {format(euros, decimals, 9)}
            </span>
          ))}
        </div>
        <div className="min-w-0 flex-1">
          <div className="relative h-44">
            <div aria-hidden className="absolute inset-0 flex flex-col justify-between">
              <hr className="border-line" />
              <hr className="border-line" />
              <hr className="border-strong-line" />
            </div>
            <Columns days={days} top={top} hrefOf={hrefOf} />
          </div>
          <div aria-hidden className="mt-2 flex justify-between tabular-nums">
            {[days[0], days[Math.floor(days.length / 2)], days.at(-1)].map((day) => (
              <span key={day!.day}>{shortDay(day!.day)}</span>
            ))}
          </div>
        </div>
      </div>
      <DayTable days={days} hrefOf={hrefOf} />
    </>
  );
}

/** Lists the days as one tab stop with arrow keys, so that keyboard users need not pass ninety links. */
function Columns({ days, top, hrefOf }: Props & { top: number }) {
  const { setList, onKeyDown, tabIndexOf, onFocus } = useRovingFocus(days.length, days.length - 1);
  return (
    <ul
      ref={setList}
      aria-label={hrefOf ? "Spend by day, opens the generations of a day" : "Spend by day"}
      className={`absolute inset-0 flex ${days.length > 31 ? "gap-px" : "gap-0.5 sm:gap-1"}`}
      onKeyDown={onKeyDown}
    >
      {days.map((day, index) => (
        <Column
          key={day.day}
          day={day}
          top={top}
          href={hrefOf?.(day.day)}
          side={sideOf(index / days.length)}
          tabIndex={tabIndexOf(index)}
          onFocus={() => onFocus(index)}
        />
      ))}
    </ul>
  );
}

interface ColumnProps {
  day: Day;
  top: number;
  href?: string;
  side: string;
  tabIndex: number;
  onFocus: () => void;
}

function Column({ day: { day, spent, count }, top, href, side, tabIndex, onFocus }: ColumnProps) {
  const { shortDay, euros, number } = useFormats();
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const bar = {
    "aria-label": `${shortDay(day)}: ${euros(spent, 2, 9)}, ${number(count)} billed`,
    className: "flex w-full items-end hover:bg-sunken",
    children: spent > 0 && (
      <span
        className="min-h-0.5 w-full rounded-t-xs bg-accent group-hover:opacity-80"
        style={{ height: `${(100 * spent) / top}%` }}
      />
    ),
  };
  return (
    <li
      data-day={day}
      className="group relative flex flex-1"
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => {
        setFocused(true);
        onFocus();
      }}
      onBlur={() => setFocused(false)}
    >
      {href ? <Link href={href} tabIndex={tabIndex} {...bar} /> : <span role="img" {...bar} />}
      {(isHovered || isFocused) && (
        <div
          aria-hidden
          className={`pointer-events-none absolute bottom-full z-10 mb-1 rounded-lg border border-line bg-raised px-3 py-2 whitespace-nowrap text-ink shadow-raised ${side}`}
        >
          <span className="block text-soft">{shortDay(day)}</span>
          <Money euros={spent} className="font-semibold" /> · <Count value={count} /> billed
        </div>
      )}
    </li>
  );
}

// Keeps the tooltip inside the card at either edge.
const sideOf = (position: number) =>
  position < 0.25 ? "left-0" : position > 0.75 ? "right-0" : "left-1/2 -translate-x-1/2";

/** Lets the columns fit a phone without scrolling. */
const cellClass = "max-sm:px-2.5";

function DayTable({ days, hrefOf }: Props) {
  const { day: formatDay } = useFormats();
  const daysWithSpend = days.filter(({ count }) => count > 0).reverse();
  if (daysWithSpend.length === 0) return null;
  const decimals = countDecimals(daysWithSpend.map(({ spent }) => spent));
  return (
    <details className="mt-3 text-sm">
      <summary className="w-fit cursor-pointer rounded-md text-xs text-soft hover:text-ink">Show as table</summary>
      <div className="mt-2 max-h-64 overflow-y-auto rounded-lg border border-line">
        <Table label="Spend by day">
          <thead>
            <tr>
              <Th className={cellClass}>Day</Th>
              <Th className={`text-right ${cellClass}`}>Generations</Th>
              <Th className={`text-right ${cellClass}`}>Spend</Th>
            </tr>
          </thead>
          <tbody>
            {daysWithSpend.map(({ day, spent, count }) => (
              <tr key={day}>
                <Td className={cellClass}>
                  {hrefOf ? (
                    <Link
                      href={hrefOf(day)}
                      className="hover:underline pointer-coarse:inline-block pointer-coarse:py-3"
                    >
                      {formatDay(day)}
                    </Link>
                  ) : (
                    formatDay(day)
                  )}
                </Td>
                <Td className={`text-right tabular-nums ${cellClass}`}>
                  <Count value={count} />
                </Td>
                <Td className={`text-right ${cellClass}`}>
                  <Money euros={spent} decimals={decimals} />
                </Td>
              </tr>
            ))}
          </tbody>
        </Table>
      </div>
    </details>
  );
}

const STEPS = [1, 2, 4, 10];

/** Returns the next round amount at or above `max` whose half is round too; 1 when `max` is 0. */
export function axisTop(max: number): number {
  if (max <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(max));
  const step = STEPS.find((one) => one * power >= max) ?? 10;
  // Rounded, because 4 × 0.01 has floating-point noise.
  return Number((step * power).toPrecision(1));
}
