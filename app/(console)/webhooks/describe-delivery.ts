import type { Tone } from "../../ui/badge";
import type { Delivery } from "./types";

const states = {
  pending: ["accent", "Pending"],
  retrying: ["warning", "Retrying"],
  succeeded: ["good", "Delivered"],
  failed: ["danger", "Failed"],
  canceled: ["neutral", "Canceled"],
} as const satisfies Record<string, readonly [Tone, string]>;

/** Returns whether the receiver accepted an attempt, from the status of its response. */
export const isAccepted = (status: number | null): boolean => status !== null && status < 300;

/** Returns the state of a delivery as a tone and a word; one that failed and waits for another attempt is "Retrying". */
export function describeDelivery({ status, attempts }: Delivery): readonly [Tone, string] {
  const latest = attempts.at(-1);
  return states[status === "pending" && latest && !isAccepted(latest.status) ? "retrying" : status];
}

/** Returns the host and path of a webhook's URL, which distinguish it from others without showing secrets in its query. */
export function shortenUrl(url: string): string {
  const { host, pathname } = new URL(url);
  return pathname === "/" ? host : host + pathname;
}
