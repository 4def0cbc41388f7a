"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client";
import { Link } from "../../ui/link";
import { Money } from "../../ui/money";

/** Shows the estimated cost of the input and the available credit. */
export function Cost({ euros, isExact }: { euros: number | undefined; isExact: boolean }) {
  const { data: account } = useQuery(useTRPC().account.get.queryOptions());
  // Null for a role that may not see the account's money.
  const available = account?.available ?? null;
  const isShort = available !== null && euros !== undefined && euros > available;
  return (
    <div role="status" className="grid gap-0.5">
      <p className="text-sm">
        <span className="text-soft">{isExact ? "Estimated cost" : "Maximum cost"}</span>{" "}
        <span className="font-semibold">{euros === undefined ? "—" : <Money euros={euros} />}</span>
      </p>
      {available !== null && (
        <p className={`text-xs ${isShort ? "text-danger" : "text-soft"}`}>
          {isShort ? "Not enough credit: " : "Available: "}
          <Money euros={available} />
          {isShort && (
            <>
              {" "}
              available.{" "}
              <Link href="/balance" className="underline">
                View balance
              </Link>
            </>
          )}
        </p>
      )}
    </div>
  );
}
