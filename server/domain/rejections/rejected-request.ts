import { int4, text, textOf, timestamptz, uuid } from "../../db/column-types";
import type { RowOf } from "../../db/statement";
import type { ErrorCode } from "../../errors";
import type { KeyScope } from "../keys";

export const rejectedRequestColumns = {
  id: uuid,
  created_at: timestamptz,
  request_id: text,
  method: text,
  path: text,
  status: int4,
  code: textOf<ErrorCode>(),
  message: text,
  key_id: uuid,
  key_name: text,
  key_scope: textOf<KeyScope>(),
};

/** A REST request of one of the account's keys that was answered with an error. It has no body and no query. */
export type RejectedRequest = RowOf<typeof rejectedRequestColumns>;

/** Returns a rejected request for the console. */
export const serializeRejectedRequest = ({ created_at, key_id, key_name, key_scope, ...request }: RejectedRequest) => ({
  ...request,
  created_at: created_at.toISOString(),
  key: { id: key_id, name: key_name, scope: key_scope },
});
