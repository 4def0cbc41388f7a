import { text } from "../../db/column-types";
import { statement } from "../../db/statement";

/** Erases the texts of the audit log about the target of the kind `$1` and the id `$2`. The actions themselves stay. */
export const eraseTargetTexts = statement({
  params: [text, text],
  row: {},
  text: `
    UPDATE operator_action_text t SET reason = NULL, details = NULL FROM operator_action o
    WHERE o.id = t.action_id AND o.target_kind = $1 AND o.target_id = $2`,
});

/**
 * Erases the texts of the audit log that contain the e-mail address `$1`, in lower case, and the name and network address of
 * the operator who has it. The actions themselves stay.
 */
export const eraseActionTexts = statement({
  params: [text],
  row: {},
  text: `
    UPDATE operator_action_text SET
      operator = CASE WHEN operator = $1 THEN '(erased)' ELSE operator END,
      address = CASE WHEN operator <> $1 THEN address END, reason = NULL, details = NULL
    WHERE operator = $1 OR strpos(lower(reason), $1) > 0 OR strpos(lower(details::text), $1) > 0`,
});
