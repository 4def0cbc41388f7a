"use client";

import { useMutation } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import type { Root } from "@/server/trpc/root";
import { useMutationHandlers } from "../../../trpc/use-mutation-handlers";
import { ConfirmedButton } from "../../../ui/confirmed-button";
import { Money } from "../../../ui/money";
import { Meter } from "../../../ui/progress-bar";
import { Td } from "../../../ui/table";
import { TimeAgo } from "../../../ui/time-ago";

type Connection = inferRouterOutputs<Root>["connections"]["list"][number];

export function ConnectionRow({ connection }: { connection: Connection }) {
  const { name, last_used_at, expires_at } = connection;
  return (
    <tr>
      <Td className="max-w-72 max-md:w-full max-md:max-w-0 max-md:pr-0">
        <span className="block truncate font-medium" title={name}>
          {name}
        </span>
        <span className="block truncate text-xs text-soft">{describeOrigin(connection)}</span>
        <div className="mt-2 grid gap-1 md:hidden">
          <Spending connection={connection} />
          <span className="text-xs text-soft">
            Expires <TimeAgo at={expires_at} />
          </span>
        </div>
      </Td>
      <Td className="max-md:hidden">
        <Spending connection={connection} />
      </Td>
      <Td className="text-soft max-md:hidden">{last_used_at ? <TimeAgo at={last_used_at} /> : "Never"}</Td>
      <Td className="text-soft max-md:hidden">
        <TimeAgo at={expires_at} />
      </Td>
      <Td className="text-right">
        <EndConnection connection={connection} />
      </Td>
    </tr>
  );
}

function describeOrigin({ host, redirect }: Connection): string {
  if (host) return host;
  return redirect.kind === "computer" ? "A program on a computer" : redirect.host;
}

const Spending = ({ connection: { spent, spend_limit } }: { connection: Connection }) => (
  <div className="grid w-36 gap-1">
    <span>
      <Money euros={spent} /> <span className="text-soft">of</span> <Money euros={spend_limit} />
    </span>
    <Meter share={spent / spend_limit} label="Spent" />
  </div>
);

/** Ends a connection once it is confirmed. */
function EndConnection({ connection: { id, name } }: { connection: Connection }) {
  const { trpc, toast, handlers } = useMutationHandlers((trpc) => [trpc.connections.pathFilter()]);
  const end = useMutation(
    trpc.connections.end.mutationOptions({ ...handlers, onSuccess: () => toast({ text: "Connection ended." }) }),
  );
  return (
    <ConfirmedButton
      needs="develop"
      label={`Disconnect ${name}`}
      busy={end.isPending}
      title={`Disconnect “${name}”?`}
      verb="Disconnect"
      question="It can no longer generate or see anything. What it started is finished and charged. To use it again, connect it again."
      onConfirm={() => end.mutate({ id })}
    >
      Disconnect
    </ConfirmedButton>
  );
}
