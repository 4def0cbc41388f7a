import { bool, int4 } from "../../db/column-types";
import { statement } from "../../db/statement";
import { lockAccountSql } from "./account-sql";

/** Sets whether people need a second factor to act for the account `$1`. */
export const setSecondFactorDemand = statement({
  params: [int4, bool],
  row: {},
  text: `UPDATE account SET requires_second_factor = $2 WHERE id = ${lockAccountSql("$1")}`,
});
