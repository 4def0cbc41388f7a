import { Money } from "../../../ui/money";
import { SeriesSwatch } from "../../../ui/series-swatch";
import { Table, Td, Th } from "../../../ui/table";
import { Count, Duration } from "../../../ui/values";
import { useFormats } from "../../../ui/formats-context";
import type { History } from "../../types";
import { colourOf, nameOf } from "./describe-history";

const Time = ({ ms }: { ms: number | null }) => (ms === null ? "—" : <Duration ms={ms} />);

/** Lists the figures of the whole period, with the colour of each series. */
export function WorkTable({ series }: { series: History["work"]["series"] }) {
  const { percent } = useFormats();
  return (
    <div className="border-t border-line">
      <Table label="Attempts at providers">
        <thead>
          <tr>
            <Th>Name</Th>
            <Th className="text-right">Requests</Th>
            <Th className="text-right">Success rate</Th>
            <Th className="text-right max-sm:hidden">Median</Th>
            <Th className="text-right max-sm:hidden">95th percentile</Th>
            <Th className="text-right max-md:hidden">First token</Th>
            <Th className="text-right max-sm:hidden">Margin</Th>
          </tr>
        </thead>
        <tbody>
          {series.map(({ name, total }, index) => (
            <tr key={nameOf(name)}>
              <Td className="w-full max-w-0">
                <span className="flex items-center gap-2.5">
                  <SeriesSwatch colour={colourOf(name, index)} />
                  <span className="truncate font-medium" title={nameOf(name)}>
                    {nameOf(name)}
                  </span>
                </span>
              </Td>
              <Td className="text-right tabular-nums">
                <Count value={total.requests} />
              </Td>
              <Td className="text-right tabular-nums">
                {total.success_rate === null ? "—" : percent(total.success_rate)}
              </Td>
              <Td className="text-right tabular-nums max-sm:hidden">
                <Time ms={total.p50_ms} />
              </Td>
              <Td className="text-right tabular-nums max-sm:hidden">
                <Time ms={total.p95_ms} />
              </Td>
              <Td className="text-right tabular-nums max-md:hidden">
                <Time ms={total.first_token_p50_ms} />
              </Td>
              <Td className="text-right max-sm:hidden">
                <Money euros={total.margin} decimals={2} className={total.margin < 0 ? "text-danger" : ""} />
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
