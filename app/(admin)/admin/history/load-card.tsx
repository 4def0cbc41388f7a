"use client";

import { useMemo } from "react";
import { Card } from "../../../ui/card";
import { useFormats } from "../../../ui/formats-context";
import { SeriesSwatch } from "../../../ui/series-swatch";
import { Table, Td, Th } from "../../../ui/table";
import { Count, DateTime } from "../../../ui/values";
import type { History } from "../../types";
import { Chart } from "./chart";
import { describeLoad } from "./describe-history";

const figures = [
  { name: "Queued", column: "queued" },
  { name: "Running", column: "running" },
  { name: "Workers online", column: "workers" },
] as const;

/** Draws queued and running generations and workers over time. */
export function LoadCard({ load }: { load: History["load"] }) {
  const formats = useFormats();
  const data = useMemo(() => describeLoad(load, formats), [load, formats]);
  return (
    <Card flush title="Queue and workers">
      <ul className="flex flex-wrap gap-x-5 gap-y-1 px-5 pt-4 text-sm">
        {data.series.map(({ name, colour }) => (
          <li key={name} className="flex items-center gap-2">
            <SeriesSwatch colour={colour} />
            {name}
          </li>
        ))}
      </ul>
      <Chart label="Queued, running and workers online over time. The table below has the figures." data={data} />
      <details className="border-t border-line">
        <summary className="min-h-11 cursor-pointer px-5 py-3 text-sm font-medium text-soft hover:text-ink">
          As a table
        </summary>
        <div className="max-h-96 overflow-y-auto">
          <Table label="Queue and workers">
            <thead>
              <tr>
                <Th>From</Th>
                {figures.map(({ name }) => (
                  <Th key={name} className="text-right">
                    {name}
                  </Th>
                ))}
              </tr>
            </thead>
            <tbody>
              {load.times.map((time, index) => (
                <tr key={time}>
                  <Td>
                    <DateTime at={time} />
                  </Td>
                  {figures.map(({ column }) => {
                    const value = load[column][index] ?? null;
                    return (
                      <Td key={column} className="text-right tabular-nums">
                        {value === null ? "—" : <Count value={value} />}
                      </Td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </Table>
        </div>
      </details>
    </Card>
  );
}
