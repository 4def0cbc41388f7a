"use client";

import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { useTRPC } from "../../../trpc/client";
import type { Outputs } from "../../../trpc/outputs";
import { Badge } from "../../../ui/badge";
import { Card } from "../../../ui/card";
import { Money } from "../../../ui/money";
import { Table, Td, Th } from "../../../ui/table";
import { Count, TimeAgo } from "../../../ui/values";

type Report = Outputs["admin"]["providers"]["bills"][number]["report"];
type Differences = Report["differing"];

/** Shows the newest comparison of each provider's bill with the attempts at it. */
export function BillReports() {
  const { data: reports = [] } = useQuery(useTRPC().admin.providers.bills.queryOptions());
  return (
    <div className="mt-6">
      <Card title="Provider bills">
        {reports.length === 0 ? (
          <p className="text-sm leading-6 text-soft">
            Compare what a provider billed with what this hub bought:{" "}
            <code className="wrap-anywhere">
              npm run hub -- reconcile --provider fal --from 2026-11-01 --to 2026-12-01 --file export.csv
            </code>
            . The result appears here.
          </p>
        ) : (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
            {reports.map(({ id, created_at, report }) => (
              <section key={id} aria-label={`Bill of ${report.provider}`} className="grid gap-3 text-sm leading-6">
                <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
                  {report.provider}
                  <span className="font-normal text-soft">
                    {report.from.slice(0, 10)} to {report.to.slice(0, 10)}, by {report.source},{" "}
                    <TimeAgo at={created_at} />
                  </span>
                </h3>
                <Summary report={report} />
                <DifferenceTable report={report} />
              </section>
            ))}
          </div>
        )}
      </Card>
    </div>
  );
}

const Summary = ({ report }: { report: Report }) => {
  const { equal, billed_not_known, known_not_billed, differing, without_cost, without_handle } = report;
  const count = billed_not_known.count + known_not_billed.count + differing.count;
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <Badge tone={count > 0 ? "danger" : "good"}>{count > 0 ? `${count} differences` : "Everything agrees"}</Badge>
      <span>
        <Count value={equal.count} /> {report.matched_by === "day" ? "days" : "jobs"} agree (
        <Money euros={equal.billed} />)
      </span>
      {without_cost > 0 && <span>{without_cost} without a cost on one side</span>}
      {without_handle.count > 0 && (
        <span>
          {without_handle.count} without a provider ID (<Money euros={without_handle.cost} />)
        </span>
      )}
    </p>
  );
};

const kinds: [name: "billed_not_known" | "known_not_billed" | "differing", label: string][] = [
  ["billed_not_known", "Billed, not known"],
  ["known_not_billed", "Known, not billed"],
  ["differing", "Different cost"],
];

function DifferenceTable({ report }: { report: Report }) {
  const found = kinds.filter(([name]) => report[name].count > 0);
  if (found.length === 0) return null;
  return (
    <Table label={`Differences of ${report.provider}`}>
      <thead>
        <tr>
          <Th>{report.matched_by === "day" ? "Day" : "ID of the provider"}</Th>
          <Th className="max-sm:hidden">Generation</Th>
          <Th className="text-right">Billed</Th>
          <Th className="text-right">Known</Th>
        </tr>
      </thead>
      <tbody>
        {found.map(([name, label]) => (
          <Fragment key={name}>
            <SumRow label={label} differences={report[name]} />
            {report[name].items.map(({ subject, generation_id, billed, known }) => (
              <tr key={subject}>
                <Td className="w-full max-w-0 truncate" title={subject}>
                  {subject}
                </Td>
                <Td className="text-soft max-sm:hidden">{generation_id ?? "—"}</Td>
                <AmountCells billed={billed} known={known} />
              </tr>
            ))}
          </Fragment>
        ))}
      </tbody>
    </Table>
  );
}

const SumRow = ({
  label,
  differences: { count, billed, known, items },
}: {
  label: string;
  differences: Differences;
}) => (
  <tr className="font-medium">
    <Td className="w-full max-w-0 truncate">
      {label}: {count}
      {items.length < count && `, the largest ${items.length}`}
    </Td>
    <Td className="max-sm:hidden" />
    <AmountCells billed={billed} known={known} />
  </tr>
);

const AmountCells = ({ billed, known }: { billed: number | null; known: number | null }) => (
  <>
    <Td className="text-right tabular-nums">{billed === null ? "—" : <Money euros={billed} />}</Td>
    <Td className="text-right tabular-nums">{known === null ? "—" : <Money euros={known} />}</Td>
  </>
);
