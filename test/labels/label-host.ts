import { callApi } from "../api/call";
import type { Customer } from "../api/customer";
import { openRunningHost } from "../api/hosts";
import { GENERATIONS } from "./paths";

export { CHAT, GENERATIONS, messages, painting } from "./paths";

export const LABELED = { metadata: { team: "blue", run: "7" }, end_user: "ada" };
export const HEADERS = { "x-hub-metadata": "team=blue, run=7", "x-hub-end-user": "ada" };

/** Opens a host of the test file that calls it, and returns it with ways to call it. */
export async function openLabelHost() {
  const host = await openRunningHost();
  return {
    host,

    /** Returns the labels of a key's generations, newest first, as their records show them. */
    listLabels: async (key: string) => {
      const { body } = await callApi(host, "GET", GENERATIONS, { key });
      const rows = body.data as { metadata: object; end_user: string | null }[];
      return rows.map(({ metadata, end_user }) => ({ metadata, end_user }));
    },

    /** Sends a body with a customer's key. */
    postAs: ({ key }: Pick<Customer, "key">, path: string, body: unknown, headers: Record<string, string> = {}) =>
      fetch(host.url + path, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      }),
  };
}
