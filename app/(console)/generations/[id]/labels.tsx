import { formatPairs } from "@/server/domain/labels/pairs";
import type { ReactNode } from "react";
import { Card } from "../../../ui/card";
import { Link } from "../../../ui/link";
import type { GenerationDetail } from "../types";

/** Shows the end user and the metadata of a generation, each with a link to all that have it, and a priority that is not normal. */
export function Labels({ generation: { metadata, end_user, priority } }: { generation: GenerationDetail }) {
  const pairs = Object.entries(metadata).toSorted();
  if (pairs.length === 0 && end_user === null && priority === "normal") return null;
  return (
    <Card title="Labels">
      <dl className="grid gap-3 text-sm">
        {priority !== "normal" && (
          <Label name="Priority" filter={null}>
            {priority === "high" ? "High" : "Low"}
          </Label>
        )}
        {end_user !== null && (
          <Label name="End user" filter={{ end_user }}>
            {end_user}
          </Label>
        )}
        {pairs.map(([key, value]) => (
          <Label key={key} name={<code className="font-mono text-xs">{key}</code>} filter={toFilter(key, value)}>
            {value}
          </Label>
        ))}
      </dl>
    </Card>
  );
}

/** Returns the filter of the list by a pair; null for a value that a text of pairs cannot have. */
const toFilter = (key: string, value: string) =>
  value.includes(",") || value !== value.trim() ? null : { metadata: formatPairs(Object.fromEntries([[key, value]])) };

interface LabelProps {
  name: ReactNode;
  filter: Record<string, string> | null;
  children: string;
}

const Label = ({ name, filter, children }: LabelProps) => (
  <div className="flex flex-wrap justify-between gap-x-4 gap-y-1">
    <dt className="min-w-0 break-words text-soft">{name}</dt>
    <dd className="min-w-0 break-words">
      {filter ? (
        <Link href={`/generations?${new URLSearchParams(filter).toString()}`} className="text-accent underline">
          {children || "(empty)"}
        </Link>
      ) : (
        children
      )}
    </dd>
  </div>
);
