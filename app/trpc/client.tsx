"use client";

import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { requestProof } from "../factors/proof-request";
import { getSigningOut } from "../session/signing-out";
import { createClientProxy, createOptionsProxy } from "./proxies";
import { makeQueryClient } from "./query-client";
import { readWhileQuiet } from "./quiet-page";
import { type CallError, createSender, type SendCall } from "./send-calls";

/** Repeats a call once after the person has confirmed their identity, if the hub requires that. */
const withProof =
  (send: SendCall): SendCall =>
  async (call) => {
    try {
      return await send(call);
    } catch (error) {
      const needsProof = (error as CallError).data?.needsProof;
      if (!needsProof || !(await requestProof())) throw error;
      return send(call);
    }
  };

/** Redirects to sign in, and then back, when a request finds that the session has ended. */
function leaveIfSignedOut(error: unknown): void {
  // A 403 does not mean that the session has ended.
  if ((error as Partial<CallError>).data?.httpStatus !== 401) return;
  if (getSigningOut()) return;
  const here = window.location.pathname + window.location.search;
  window.location.assign(`/sign-in?next=${encodeURIComponent(here)}`);
}

/** Rejects requests while the page signs out, as they would find no session. Queries retry them if signing out fails. */
const fetchUnlessSigningOut: typeof fetch = (input, init) =>
  getSigningOut() ? Promise.reject(new Error("This page is signing out.")) : fetch(input, init);

const send = withProof(createSender(fetchUnlessSigningOut));
const options = createOptionsProxy(send);
const client = createClientProxy(send);

/** Returns the options of every query and mutation: `useTRPC().keys.list.queryOptions()`. */
export const useTRPC = () => options;

/** Returns the client that calls procedures without React Query. */
export const useTRPCClient = () => client;

/** Provides the data of queries to the components below. */
export function Trpc({ children }: { children: ReactNode }) {
  const [queryClient] = useState(() => makeQueryClient(leaveIfSignedOut));
  useEffect(() => readWhileQuiet(queryClient, window), [queryClient]);
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}
