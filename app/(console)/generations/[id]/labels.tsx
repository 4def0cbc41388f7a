import { formatPairs } from "@/server/domain/labels/pairs";
import type { ReactNode } from "react";
import { Card } from "../../../ui/card";
import { Link } from "../../../ui/link";
import type { GenerationDetail } from "../types";

/**
 * Shows the end user and the metadata of a generation, each with a link to all generations that have it, a priority that is
 * not normal, and its batch.
 */
export function Labels({ generation }: { generation: GenerationDetail }) {
  const { metadata, end_user, priority, is_in_batch, batch_id } = generation;
  const pairs = Object.entries(metadata).toSorted();
  if (pairs.length === 0 && end_user === null && priority === "normal" && !is_in_batch) return null;
  return (
    <Card title="Labels">
      <dl className="grid gap-3 text-sm">
        {is_in_batch && (
          <Label name="Batch" path={`/batches/${batch_id}`}>
            View batch
          </Label>
        )}
        {priority !== "normal" && (
          <Label name="Priority" path={null}>
            {priority === "high" ? "High" : "Low"}
          </Label>
        )}
        {end_user !== null && (
          <Label name="End user" path={toPath({ end_user })}>
            {end_user}
          </Label>
        )}
        {pairs.map(([key, value]) => (
          <Label key={key} name={<code className="font-mono text-xs">{key}</code>} path={toPairPath(key, value)}>
            {value}
          </Label>
        ))}
      </dl>
    </Card>
  );
}

const toPath = (filter: Record<string, string>) => `/generations?${new URLSearchParams(filter).toString()}`;

/** Returns the path of the list filtered by a pair; null for a value that a text of pairs cannot express. */
const toPairPath = (key: string, value: string) =>
  value.includes(",") || value !== value.trim()
    ? null
    : toPath({ metadata: formatPairs(Object.fromEntries([[key, value]])) });

interface LabelProps {
  name: ReactNode;
  path: string | null;
  children: string;
}

const Label = ({ name, path, children }: LabelProps) => (
  <div className="flex flex-wrap justify-between gap-x-4 gap-y-1">
    <dt className="min-w-0 break-words text-soft">{name}</dt>
    <dd className="min-w-0 break-words">
      {path ? (
        <Link href={path} className="text-accent underline">
          {children || "(empty)"}
        </Link>
      ) : (
        children
      )}
    </dd>
  </div>
);
