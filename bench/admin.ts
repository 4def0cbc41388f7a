import { startHub } from "../e2e/server";
import { ensureBuilt } from "../scripts/build/ensure-built.mjs";
import type { Hub } from "../server/context";
import { createAccount } from "../server/domain/people/create-account";

import { hashPassword } from "../server/domain/passwords/password";
import { rollUpMoney } from "../server/domain/operations/money";
import { newBrowser } from "../test/auth-browser";
import { quantile } from "./load";
import { checkBound, printLine, printTitle } from "./report";

const FEW_ACCOUNTS = 10;
const MANY_ACCOUNTS = 100_000;
const GENERATIONS = 1_000_000;
const ROUNDS = 60;
const OPERATOR = { email: "operator@example.net", password: "correct horse" };

/** Measures the pages of the operator's console, as the built hub sends them, with few accounts and with many. */
export async function benchAdmin(hub: Hub, settings: Record<string, string>): Promise<void> {
  printTitle(
    `the operator's console with ${FEW_ACCOUNTS} accounts, and with ${MANY_ACCOUNTS} and ${GENERATIONS} generations`,
  );
  await ensureBuilt(["client", "server", "pages"]);
  const account = await createAccount(hub, { email: "looked-at@example.net" });
  await createAccount(hub, { email: OPERATOR.email, passwordHash: await hashPassword(OPERATOR.password) });
  const running = await startHub({ env: { ...settings, PORT: "0" }, dataDir: settings.HUB_DATA_DIR });
  try {
    const cookie = await signInAsOperator(hub, running.url);
    await fill(hub, FEW_ACCOUNTS, FEW_ACCOUNTS * 10);
    const few = await measurePages(running.url, cookie, account);
    await fill(hub, MANY_ACCOUNTS, GENERATIONS);
    while ((await rollUpMoney(hub)) > 0);
    const many = await measurePages(running.url, cookie, account);
    for (const [name, ms] of Object.entries(many)) {
      printLine(`  ${name.padEnd(24)} ${few[name]!.toFixed(1)} ms with few, ${ms.toFixed(1)} ms with many`);
      checkBound(`${name}: times its time with few accounts`, ms / few[name]!, "at most", 1.3);
    }
  } finally {
    await running.stop();
  }
}

/** Returns the cookie of an operator who has given a second factor. */
async function signInAsOperator({ db }: Hub, url: string): Promise<string> {
  const visitor = newBrowser(url);
  await visitor.post("/api/auth/callback/credentials", OPERATOR);
  await db.query(
    `WITH granted AS (UPDATE person SET hub_role = 'operator' WHERE email = $1 RETURNING id),
          app AS (INSERT INTO totp (person_id, secret, added_at, last_step) SELECT id, '\\x00', now(), 0 FROM granted)
     UPDATE session SET verified_at = now() FROM granted WHERE person_id = granted.id`,
    [OPERATOR.email],
  );
  return visitor.cookie();
}

/** Inserts accounts with an owner, a credit and finished generations, straight into the tables. */
async function fill(hub: Hub, accounts: number, generations: number): Promise<void> {
  await hub.db.query(
    `WITH people AS (
       INSERT INTO person (email, created_at)
       SELECT 'bench-' || $1::int || '-' || n || '@example.com', now() FROM generate_series(1, $1::int) AS n RETURNING id, email
     ),
     accounts AS (INSERT INTO account (email, balance, created_at) SELECT email, 5, now() FROM people RETURNING id, email),
     owners AS (
       INSERT INTO membership (account_id, person_id, role, created_at)
       SELECT a.id, p.id, 'owner', now() FROM accounts a JOIN people p USING (email)
     )
     INSERT INTO ledger_entry (account_id, kind, amount, balance_after, created_at)
     SELECT id, 'credit', 5, 5, now() - id % 1000 * interval '1 hour' FROM accounts`,
    [accounts],
    { isLong: true },
  );
  await hub.db.query(
    `INSERT INTO generation (id, account_id, model, is_llm, status, input, estimated_cost, billed_cost, price, provider,
                             progress, timeout_seconds, created_at, started_at, completed_at, settled_at)
     SELECT gen_random_uuid(), a.id, 'sandbox-image', false, 'succeeded', '{"prompt": "a tree"}', 9200000, 9200000, '{}',
            'sandbox', 1, 60, now(), now(), now(), now()
     FROM account a, generate_series(1, greatest(1, $2::int / $1::int)) WHERE a.email LIKE 'bench-' || $1::int || '-%'`,
    [accounts, generations],
    { isLong: true },
  );
  await hub.db.query("VACUUM ANALYZE", [], { isLong: true });
}

/** Returns the median milliseconds in which each page is sent. */
async function measurePages(url: string, cookie: string, account: number): Promise<Record<string, number>> {
  const pages = {
    state: "/admin",
    accounts: "/admin/accounts",
    "search by address": "/admin/accounts?q=looked-at",
    "search by domain": "/admin/accounts?q=%40example.net",
    account: `/admin/accounts/${account}`,
    "audit log": "/admin/audit-log",
  };
  const times = new Map<string, number[]>(Object.keys(pages).map((name) => [name, []]));
  // The first rounds warm up the server and are not counted.
  for (let round = -ROUNDS; round < ROUNDS; round += 1)
    for (const [name, path] of Object.entries(pages)) {
      const startedAt = performance.now();
      const response = await fetch(url + path, { headers: { cookie }, redirect: "manual" });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`${path} responded with ${response.status}`);
      if (round >= 0) times.get(name)!.push(performance.now() - startedAt);
    }
  return Object.fromEntries([...times].map(([name, all]) => [name, quantile(all, 0.5)]));
}
