import { dehydrate, type FetchQueryOptions, HydrationBoundary } from "@tanstack/react-query";
import { notFound, redirect } from "next/navigation";
import { cache, type ReactNode } from "react";
import { getPageApi } from "@/server/hub";
import { findCaller, requireSession } from "../session/caller";
import { createOptionsProxy } from "./proxies";
import { makeQueryClient } from "./query-client";

const queryClientOf = cache(() => makeQueryClient());

/** The console's queries for server components, called without an HTTP request. */
export const trpc = createOptionsProxy(async (call) => {
  const { callProcedure } = await getPageApi();
  return callProcedure(await findCaller(), call);
});

/**
 * Renders a page with its data in the first paint: requires a session, runs all `queries` at once and hydrates the
 * components inside with the results. A missing resource renders the 404 page.
 */
export async function Prefetch({ queries, children }: { queries: unknown[]; children: ReactNode }) {
  await requireSession();
  const client = queryClientOf();
  const fetches = queries.map((query) => client.fetchQuery({ ...(query as FetchQueryOptions), retry: false }));
  const { getProcedureErrorCode } = await getPageApi();
  await Promise.all(fetches).catch((error: unknown) => {
    const code = getProcedureErrorCode(error);
    // A malformed id in the URL of a page is treated as a missing one.
    if (code === "NOT_FOUND" || code === "BAD_REQUEST") notFound();
    // The role allows the page, but a view without a reason shows no content.
    if (code === "FORBIDDEN") redirect("/no-access");
    throw error;
  });
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}
