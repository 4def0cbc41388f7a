"use client";

import { Plug } from "lucide-react";
import { Badge } from "../../ui/badge";
import { Count } from "../../ui/formats-context";
import { Notice } from "../../ui/notice";
import { Table, Td, Th } from "../../ui/table";
import type { HubState } from "../types";

const faults = { customer: "by the input", hub: "by key, credit or model", provider: "by the provider" };

/** Lists the providers with their state, and the failures of the last hour by whose fault they were. */
export function ProviderTable({ state: { providers, failures } }: { state: HubState }) {
  if (providers.length === 0)
    return (
      <Notice heading="h3" title="No providers" icon={<Plug size={20} />}>
        The catalogue offers no model of a provider. Add some by <code>npm run hub -- provider add replicate</code>.
      </Notice>
    );
  return (
    <Table label="Providers">
      <thead>
        <tr>
          <Th>Provider</Th>
          <Th>Routes</Th>
          <Th className="text-right max-sm:hidden">In flight</Th>
          <Th className="max-md:hidden">Failures in the last hour</Th>
        </tr>
      </thead>
      <tbody>
        {providers.map(({ id, kind, key, in_flight, max_in_flight, routes }) => {
          const usable = routes.filter(({ state }) => state === "usable").length;
          const failed = failures.filter(({ provider }) => provider === kind);
          return (
            <tr key={id}>
              <Td className="w-full max-w-0">
                <span className="flex flex-wrap items-center gap-2">
                  <span className="truncate font-medium">{id}</span>
                  {key === "missing" && <Badge tone="danger">Key missing</Badge>}
                </span>
              </Td>
              <Td>
                {usable === routes.length ? (
                  <Badge tone="good">{usable} usable</Badge>
                ) : (
                  <Badge tone="warning">
                    {usable} of {routes.length} usable
                  </Badge>
                )}
              </Td>
              <Td className="text-right tabular-nums max-sm:hidden">
                {in_flight}
                {max_in_flight !== null && ` of ${max_in_flight}`}
              </Td>
              <Td className="text-soft max-md:hidden">
                {failed.length === 0
                  ? "None"
                  : failed.map(({ cause, count, fault }) => (
                      <span key={cause} className="block">
                        <Count value={count} /> {faults[fault]}
                      </span>
                    ))}
              </Td>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}
