import { text } from "../../db/column-types";
import { statement } from "../../db/statement";

/**
 * Erases the texts of the audit log about the target of the kind `$2` and the id `$3`, and those that contain the e-mail
 * address `$1`, who may have been the operator. The actions themselves stay.
 */
export const eraseActionTexts = statement({
  params: [text, text, text],
  row: {},
  text: `
    UPDATE operator_action_text t SET
      operator = CASE WHEN t.operator = $1 THEN '(erased)' ELSE t.operator END,
      address = CASE WHEN t.operator = $1 THEN NULL ELSE t.address END, reason = NULL, details = NULL
    FROM operator_action o
    WHERE o.id = t.action_id AND (
      o.target_kind = $2 AND o.target_id = $3 OR t.operator = $1
      OR strpos(lower(t.reason), $1) > 0 OR strpos(lower(t.details::text), $1) > 0)`,
});
