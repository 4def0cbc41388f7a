"use client";

import type { inferRouterOutputs } from "@trpc/server";
import type { Root } from "@/server/trpc/root";
import { DateTime } from "../../../ui/formats-context";
import { Link } from "../../../ui/link";
import { Table, Td, Th } from "../../../ui/table";

type Action = inferRouterOutputs<Root>["admin"]["auditLog"]["list"]["data"][number];

/** Lists acts of operators, with what each changed. */
export const ActionTable = ({ actions }: { actions: Action[] }) => (
  <Table label="Audit log">
    <thead>
      <tr>
        <Th>Action</Th>
        <Th className="max-md:hidden">Change</Th>
        <Th className="max-md:hidden">Operator</Th>
      </tr>
    </thead>
    <tbody>
      {actions.map((action) => (
        <tr key={action.id} className="align-top">
          <Td>
            <span className="block font-medium">{action.action}</span>
            <span className="block text-xs text-soft">
              <DateTime at={action.created_at} />
            </span>
            <span className="block text-xs text-soft md:hidden">{describeOperator(action)}</span>
          </Td>
          <Td className="w-full max-w-0 whitespace-normal max-md:hidden">
            <Target action={action} />
            <Change action={action} />
            {action.reason && (
              <span className="block text-xs leading-5 wrap-anywhere text-soft">“{action.reason}”</span>
            )}
          </Td>
          <Td className="max-md:hidden">
            <span className="block max-w-56 truncate" title={action.operator ?? undefined}>
              {describeOperator(action)}
            </span>
            <span className="block text-xs text-soft">{action.address}</span>
          </Td>
        </tr>
      ))}
    </tbody>
  </Table>
);

const describeOperator = ({ operator, via }: Action): string =>
  via === "cli" ? `${operator ?? "Somebody"} (command line)` : (operator ?? "Erased");

const Target = ({ action: { target_kind: kind, target_id: id } }: { action: Action }) => (
  <span className="block truncate text-sm">
    {kind === "account" ? (
      <Link href={`/admin/accounts/${id}`} className="text-accent hover:underline">
        Account {id}
      </Link>
    ) : (
      `${kind} ${id}`
    )}
  </span>
);

/** Returns a value for reading; nothing for one that is not set. */
function formatValue(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Shows the members that changed: "suspended: false → true". */
function Change({ action: { before, after, details } }: { action: Action }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const parts = [
    ...names.map((name) => {
      const [old, next] = [before?.[name], after?.[name]].map(formatValue);
      return `${name}: ${[old, next].filter(Boolean).join(" → ")}`;
    }),
    ...Object.entries(details ?? {}).map(([name, value]) => `${name}: ${String(value)}`),
  ];
  return <span className="block text-xs leading-5 wrap-anywhere text-soft">{parts.join(", ")}</span>;
}
