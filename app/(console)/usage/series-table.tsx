import { Link } from "../../ui/link";
import { countDecimals, Money } from "../../ui/money";
import { SeriesSwatch } from "../../ui/series-swatch";
import { Table, Td, Th } from "../../ui/table";
import { Count } from "../../ui/values";
import type { Row } from "./describe-chart";

/** Lists the series of the chart, with the colour of each and a link to its generations. */
export function SeriesTable({ rows }: { rows: Row[] }) {
  const decimals = countDecimals(rows.map(({ billed }) => billed));
  return (
    <div className="border-t border-line">
      <Table label="Usage">
        <thead>
          <tr>
            <Th>Name</Th>
            <Th className="text-right">Generations</Th>
            <Th className="text-right">Tokens</Th>
            <Th className="text-right">Cost</Th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, href, colour, billed, generations, tokens }) => (
            <tr key={colour}>
              <Td className="max-w-64">
                <span className="flex items-center gap-2.5">
                  <SeriesSwatch colour={colour} />
                  <span className="truncate font-medium" title={name}>
                    {href ? (
                      <Link href={href} className="hover:underline">
                        {name}
                      </Link>
                    ) : (
                      name
                    )}
                  </span>
                </span>
              </Td>
              <Td className="text-right tabular-nums">
                <Count value={generations} />
              </Td>
              <Td className="text-right tabular-nums">
                <Count value={tokens} />
              </Td>
              <Td className="text-right">
                <Money euros={billed} decimals={decimals} />
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
