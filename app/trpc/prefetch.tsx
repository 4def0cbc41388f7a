import { dehydrate, type FetchQueryOptions, HydrationBoundary } from "@tanstack/react-query";
import { TRPCError } from "@trpc/server";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { notFound, redirect } from "next/navigation";
import { cache, type ReactNode } from "react";
import { root } from "@/server/trpc/root";
import { findCaller, requireSession } from "../session/caller";
import { makeQueryClient } from "./query-client";

const queryClientOf = cache(() => makeQueryClient());

/** The console's queries for server components, called without an HTTP request. */
export const trpc = createTRPCOptionsProxy({ ctx: findCaller, router: root, queryClient: queryClientOf });

/**
 * Renders a page with its data in the first paint: requires a session, runs all `queries` at once and hydrates the
 * components inside with the results. A missing resource renders the 404 page.
 */
export async function Prefetch({ queries, children }: { queries: unknown[]; children: ReactNode }) {
  await requireSession();
  const client = queryClientOf();
  const fetches = queries.map((query) => client.fetchQuery({ ...(query as FetchQueryOptions), retry: false }));
  await Promise.all(fetches).catch((error: unknown) => {
    // A malformed id in the address of a page is one that does not exist.
    if (error instanceof TRPCError && ["NOT_FOUND", "BAD_REQUEST"].includes(error.code)) notFound();
    // The role allows the page, but a view without a reason shows no content.
    if (error instanceof TRPCError && error.code === "FORBIDDEN") redirect("/no-access");
    throw error;
  });
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}
