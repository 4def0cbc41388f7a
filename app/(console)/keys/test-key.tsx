"use client";

import { useMutation } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { Button } from "../../ui/button";
import { Money } from "../../ui/money";

/** Tests a new key with `GET /me` on a click, and shows the result. */
export function TestKey({ secret }: { secret: string }) {
  const test = useMutation({ mutationFn: () => requestAccount(secret), networkMode: "always" });
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      <Button busy={test.isPending} onClick={() => test.mutate()}>
        Test it
      </Button>
      <span role="status" className="min-w-0 flex-1 basis-48">
        {test.data && (
          <span className="flex items-center gap-1.5 text-good">
            <CircleCheck size={16} aria-hidden className="shrink-0" />
            <span>
              The key works. <Money euros={test.data.available} /> available.
            </span>
          </span>
        )}
        {test.error && <span className="text-danger">{test.error.message}</span>}
        {!test.data && !test.error && (
          <span className="text-soft">
            Sends <code className="font-mono text-xs">GET /api/v1/me</code> with this key. Free.
          </span>
        )}
      </span>
    </div>
  );
}

async function requestAccount(secret: string): Promise<{ available: number }> {
  const response = await fetch("/api/v1/me", {
    headers: { Authorization: `Bearer ${secret}` },
    credentials: "omit",
    cache: "no-store",
  }).catch(() => {
    throw new Error("The hub could not be reached. Try again.");
  });
  const body = (await response.json()) as { available: number; detail?: string };
  if (!response.ok) throw new Error(body.detail ?? `The hub responded with ${response.status}.`);
  return body;
}
