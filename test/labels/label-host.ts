import { callApi } from "../api/call";
import type { Customer } from "../api/customer";
import { openRunningHost } from "../api/hosts";
import { GENERATIONS } from "./paths";

export { CHAT, GENERATIONS, messages, painting } from "./paths";

export const host = await openRunningHost();
export const LABELED = { metadata: { team: "blue", run: "7" }, end_user: "ada" };
export const HEADERS = { "x-hub-metadata": "team=blue, run=7", "x-hub-end-user": "ada" };

/** Returns the labels of a key's generations, newest first, as their records show them. */
export async function listLabels(key: string) {
  const { body } = await callApi(host, "GET", GENERATIONS, { key });
  const rows = body.data as { metadata: object; end_user: string | null }[];
  return rows.map(({ metadata, end_user }) => ({ metadata, end_user }));
}

/** Sends a body with a customer's key. */
export const postAs = (
  { key }: Pick<Customer, "key">,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
) =>
  fetch(host.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
