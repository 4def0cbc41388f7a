"use client";

import { useFormats } from "../../ui/formats-context";
import { Money } from "../../ui/money";
import { Table, Td, Th } from "../../ui/table";
import type { HubState } from "../types";

/** Lists what was billed and what providers took, the newest day first. */
export function MoneyTable({ days }: { days: HubState["money"]["days"] }) {
  const { day: formatDay } = useFormats();
  return (
    <Table label="Money by day">
      <thead>
        <tr>
          <Th>Day</Th>
          <Th className="text-right">Billed</Th>
          <Th className="text-right">Providers’ cost</Th>
          <Th className="text-right">Margin</Th>
        </tr>
      </thead>
      <tbody>
        {[...days].reverse().map(({ day, billed, provider_cost, margin }) => (
          <tr key={day}>
            <Td>{formatDay(day)}</Td>
            {[billed, provider_cost, margin].map((euros, index) => (
              <Td key={index} className="text-right">
                <Money euros={euros} decimals={2} className={euros < 0 ? "text-danger" : ""} />
              </Td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
