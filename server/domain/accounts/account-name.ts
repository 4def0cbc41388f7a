import { z } from "zod";
import { int4, nullable, text } from "../../db/column-types";
import { statement } from "../../db/statement";
import { lockAccountSql } from "./account-sql";

/** The database's limit, which counts characters as code points. */
const MAX_CHARACTERS = 80;

// The name appears in the subjects of e-mails and must not reverse the text around it.
const UNSAFE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** The name of an account. */
export const AccountName = z
  .string()
  .max(1_000)
  .trim()
  .min(1, "must not be empty")
  .refine((name) => [...name].length <= MAX_CHARACTERS, `may have at most ${MAX_CHARACTERS} characters`)
  .refine((name) => !UNSAFE.test(name), "must be one line without control characters");

/** Stores the name `$2` of the account `$1`; with null, its contact address is shown instead. */
export const setAccountName = statement({
  params: [int4, nullable(text)],
  row: {},
  text: `UPDATE account SET name = $2 WHERE id = ${lockAccountSql("$1")}`,
});
