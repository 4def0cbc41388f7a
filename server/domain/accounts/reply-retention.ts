import { int4, nullable } from "../../db/column-types";
import { statement } from "../../db/statement";
import { lockAccountSql } from "./account-sql";

/** The longest time, in days, that an account can keep replies of chats. */
export const MAX_REPLY_RETENTION_DAYS = 30;

/** Stores for how many days the account `$1` keeps replies of chats; null for not at all. */
export const setReplyRetention = statement({
  params: [int4, nullable(int4)],
  row: {},
  text: `UPDATE account SET reply_retention_days = $2 WHERE id = ${lockAccountSql("$1")}`,
});
