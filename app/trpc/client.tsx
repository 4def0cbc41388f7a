"use client";

import { QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { type ReactNode, useState } from "react";
import superjson from "superjson";
import type { Root } from "@/server/trpc/root";
import { getSigningOut } from "../session/signing-out";
import { proofLink } from "./proof-link";
import { makeQueryClient } from "./query-client";

const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<Root>();
export { useTRPC, useTRPCClient };

/** Redirects to sign in, and then back, when a request finds that the session has ended. */
function leaveIfSignedOut(error: unknown): void {
  // Who may not do something is signed in all the same.
  if ((error as { data?: { httpStatus?: number } | null }).data?.httpStatus !== 401) return;
  if (getSigningOut()) return;
  const here = window.location.pathname + window.location.search;
  window.location.assign(`/sign-in?next=${encodeURIComponent(here)}`);
}

/** Rejects what a page would request while it signs out, which finds no session; queries try again if that fails. */
const fetchUnlessSigningOut: typeof fetch = (input, init) =>
  getSigningOut() ? Promise.reject(new Error("This page is signing out.")) : fetch(input, init);

/** Provides `useTRPC()` to the components below. */
export function Trpc({ children }: { children: ReactNode }) {
  const [queryClient] = useState(() => makeQueryClient(leaveIfSignedOut));
  const [trpcClient] = useState(() =>
    createTRPCClient<Root>({
      links: [
        proofLink,
        httpBatchLink({ url: "/api/trpc", transformer: superjson, maxItems: 20, fetch: fetchUnlessSigningOut }),
      ],
    }),
  );
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
