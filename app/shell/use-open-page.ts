"use client";

import { useRouter } from "next/navigation";
import { useCallback } from "react";
import { useToast } from "../ui/toasts";

/** Says why a page stays: without a network, the browser would show an error page. */
export const OFFLINE = "You are offline. This page stays until the network is back.";

/** Returns the function that opens a page of the console, unless there is no network. */
export function useOpenPage(): (path: string) => void {
  const router = useRouter();
  const toast = useToast();
  return useCallback((path) => (navigator.onLine ? router.push(path) : toast({ text: OFFLINE })), [router, toast]);
}
