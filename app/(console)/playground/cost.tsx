"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client";
import { Link } from "../../ui/link";
import { Money } from "../../ui/money";
import { PendingMoney } from "../../ui/price-on-button";

/** Shows the estimated cost of the input and the available credit. */
export function Cost({ euros, isExact }: { euros: number | null | undefined; isExact: boolean }) {
  const { data: account } = useQuery(useTRPC().account.get.queryOptions());
  // Null for a role that may not see the account's money.
  const available = account?.available ?? null;
  const isShort = available !== null && typeof euros === "number" && euros > available;
  return (
    <div role="status" className="grid gap-0.5 max-sm:w-full">
      <p className="text-sm">
        <span className="text-soft">{isExact ? "Estimated cost" : "Maximum cost"}</span>{" "}
        <span className="font-semibold">{euros === null ? "—" : <PendingMoney euros={euros} />}</span>
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
