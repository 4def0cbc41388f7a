import type { Hub } from "../server/context";

/** Creates the tables of the bare relay and an account with a million EUR for each key. */
export async function createBareTables(hub: Hub, keys: string[]): Promise<void> {
  await hub.db.query(`
    CREATE TABLE bare_account (
      id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY, key text NOT NULL UNIQUE,
      balance bigint NOT NULL, reserved bigint NOT NULL DEFAULT 0,
      CONSTRAINT bare_account_balance_covers_reserved CHECK (reserved >= 0 AND balance >= reserved))`);
  await hub.db.query(`
    CREATE TABLE bare_chat (
      id uuid PRIMARY KEY, account_id int NOT NULL REFERENCES bare_account, held bigint NOT NULL, cost bigint,
      CONSTRAINT bare_chat_hold_covers_cost CHECK (cost BETWEEN 0 AND held))`);
  await hub.db.query("INSERT INTO bare_account (key, balance) SELECT key, 1e15 FROM unnest($1::text[]) AS row (key)", [
    keys,
  ]);
}
