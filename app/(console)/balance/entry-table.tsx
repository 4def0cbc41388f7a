import type { inferRouterOutputs } from "@trpc/server";
import type { Root } from "@/server/trpc/root";
import { Badge } from "../../ui/badge";
import { Link } from "../../ui/link";
import { Money } from "../../ui/money";
import { Table, Td, Th } from "../../ui/table";
import { TimeAgo } from "../../ui/time-ago";

type Entry = inferRouterOutputs<Root>["balance"]["statement"]["data"][number];

export const EntryTable = ({ entries }: { entries: Entry[] }) => (
  <Table label="Transactions">
    <thead>
      <tr>
        <Th>Description</Th>
        <Th className="max-md:hidden">Date</Th>
        <Th className="text-right">Amount</Th>
        <Th className="text-right max-sm:hidden">Balance</Th>
      </tr>
    </thead>
    <tbody>
      {entries.map((entry) => (
        <Row key={entry.id} entry={entry} />
      ))}
    </tbody>
  </Table>
);

const Row = ({ entry }: { entry: Entry }) => (
  <tr>
    <Td className="w-full max-w-0 max-sm:pr-0">
      <span className="flex min-w-0 items-center gap-2">
        <Badge tone={entry.kind === "credit" ? "good" : "neutral"}>
          {entry.kind === "credit" ? "Credit" : "Charge"}
        </Badge>
        <EntryDescription entry={entry} />
      </span>
      <span className="mt-1 block truncate text-xs text-soft md:hidden">
        <TimeAgo at={entry.created_at} />
        <span className="sm:hidden">
          {" "}
          · balance <Money exact euros={entry.balance_after} />
        </span>
      </span>
    </Td>
    <Td className="text-soft max-md:hidden">
      <TimeAgo at={entry.created_at} />
    </Td>
    <Td className="text-right font-medium">
      {entry.amount > 0 && "+"}
      <Money exact euros={entry.amount} />
    </Td>
    <Td className="text-right max-sm:hidden">
      <Money exact euros={entry.balance_after} className="text-soft" />
    </Td>
  </tr>
);

function EntryDescription({ entry: { generation_id, model, note, reference } }: { entry: Entry }) {
  if (generation_id) {
    return (
      <Link href={`/generations/${generation_id}`} className="truncate hover:underline">
        {model}
      </Link>
    );
  }
  const text = [note, reference].filter(Boolean).join(" · ");
  return (
    <span className="truncate" title={text}>
      {text}
    </span>
  );
}
