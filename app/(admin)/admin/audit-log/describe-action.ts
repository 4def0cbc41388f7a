import type { Outputs } from "../../../trpc/outputs";

export type Action = Outputs["admin"]["auditLog"]["list"]["data"][number];

/** What an action did, between its operator and its target: "ada suspended account 7". */
const verbs = new Map([
  ["account.close", "asked to close"],
  ["account.create", "created"],
  ["account.export", "exported"],
  ["account.keep", "stopped the closing of"],
  ["account.note", "added a note to"],
  ["account.resume", "resumed"],
  ["account.set-book", "chose the price book of"],
  ["account.set-member", "changed the membership of"],
  ["account.set-retention", "changed the retention of"],
  ["account.set-usage-metadata", "changed the usage metadata of"],
  ["account.set-weight", "changed the weight of"],
  ["account.suspend", "suspended"],
  ["announcement.clear", "removed"],
  ["announcement.set", "published"],
  ["audit.run", "started an audit of"],
  ["book.apply", "applied"],
  ["budget.create", "created a budget of"],
  ["budget.remove", "removed a budget of"],
  ["budget.update", "changed a budget of"],
  ["catalogue.apply", "applied"],
  ["catalogue.roll-back", "rolled back"],
  ["credit.grant", "credited"],
  ["hub.restore", "restored"],
  ["key.create", "created an API key of"],
  ["key.revoke", "revoked an API key of"],
  ["key.rotate", "rotated an API key of"],
  ["key.update", "changed an API key of"],
  ["operator.grant", "granted a role of the hub to"],
  ["operator.revoke", "withdrew a role of the hub from"],
  ["operator-token.create", "created"],
  ["operator-token.revoke", "revoked"],
  ["payment.record", "recorded a payment of"],
  ["payment.refund", "refunded"],
  ["person.erase", "erased"],
  ["person.reset-factors", "reset the second factors of"],
  ["person.set-password", "set the password of"],
  ["sample.add", "added a sample of"],
  ["sample.publish", "put on the home page a sample of"],
  ["sample.remove", "removed a sample of"],
  ["sample.unpublish", "removed from the home page a sample of"],
  ["secret.re-encrypt", "re-encrypted the secrets of"],
  ["share-link.revoke", "revoked"],
  ["view.end", "stopped viewing"],
  ["view.start", "started viewing"],
  ["voucher.create", "created"],
  ["voucher.revoke", "revoked"],
  ["worker-token.create", "created"],
  ["worker-token.revoke", "revoked"],
]);

/** Returns what an action did, as the middle of a sentence; the name of one that is newer than this page. */
export const verbOf = ({ action }: Action): string => verbs.get(action) ?? `did ${action} to`;

const pages = new Map<string, (id: string) => string>([
  ["account", (id) => `/admin/accounts/${id}`],
  ["payment", (id) => `/admin/payments/${id}`],
  ["catalogue", () => "/admin/catalogue"],
  ["book-revision", () => "/admin/books"],
  ["voucher", () => "/admin/vouchers"],
  ["announcement", () => "/admin/announcement"],
  ["operator-token", () => "/admin/tokens"],
  ["worker-token", () => "/admin/workers"],
]);

/** Kinds of targets of which a hub has only one, which are named without an id. */
const singletons = new Set(["hub", "announcement"]);

/** Returns the target of an action in words, and its page; undefined where it has none. */
export function describeTarget({ target_kind: kind, target_id: id }: Action): { text: string; href?: string } {
  const name = kind.replaceAll("-", " ");
  const text = singletons.has(kind) || id === "" ? `the ${name}` : `${name} ${id}`;
  return { text, href: id === "" && kind === "account" ? undefined : pages.get(kind)?.(encodeURIComponent(id)) };
}

/** Returns who did an action. */
export function describeOperator({ operator, via }: Action): string {
  if (via === "cli") return `${operator ?? "Unknown"} (command line)`;
  return via === "api" ? `${operator ?? "Unknown"} (API token)` : (operator ?? "Erased");
}
