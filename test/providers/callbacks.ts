import { receiveCallback } from "../../server/domain/generations/run/receive-callback";
import { isAppError } from "../../server/errors";
import type { TestHub } from "../hub";

/** A callback as a maker sends it. */
export interface Callback {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** What happens to the callback of a job. */
export const callbackFaults = [
  "lost",
  "doubled",
  "early",
  "late",
  "with a wrong token",
  "with a wrong signature",
  "with another job's body",
] as const;
export type CallbackFault = (typeof callbackFaults)[number];

/** Delivers a callback to the hub. Returns whether the hub accepts it as the maker's. */
export async function deliver(hub: TestHub, { url, headers, body }: Callback): Promise<boolean> {
  const { pathname, searchParams } = new URL(url);
  const target = { attemptId: pathname.split("/").at(-1)!, token: searchParams.get("token")! };
  try {
    await receiveCallback(hub, target, { headers: new Headers(headers), body: Buffer.from(body) });
    return true;
  } catch (error) {
    if (isAppError(error) && error.code === "unauthorized") return false;
    throw error;
  }
}

/** Returns a callback that the maker has not sent, made of its own one and that of another job. */
export function forge(fault: CallbackFault, own: Callback, other: Callback): Callback {
  if (fault === "with a wrong token") return { ...own, url: own.url.replace(/token=.{4}/, "token=AAAA") };
  if (fault === "with a wrong signature") return { ...own, body: `${own.body} ` };
  return { ...other, url: own.url };
}
