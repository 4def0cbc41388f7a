import type { ProviderKind } from "../../../catalogue/model";
import { bool, nullable, textOf, uuid } from "../../../db/column-types";
import { type RowOf, statement } from "../../../db/statement";
import type { Status } from "../row";
import type { AttemptsHub } from "./hub";

/** SQL: whether a provider is to be asked to stop the generation `g`: it has not refused since the customer's last request. */
export const isCancelOpenSql = "g.cancel_requested_at IS NOT NULL AND g.cancel_refused_at IS NULL";

const cancelColumns = {
  status: textOf<Status>(),
  /** Whether the customer has asked for it to be stopped. */
  is_requested: bool,
  is_refused: bool,
  /** The kind of the provider that has its job; null while it has none. */
  kind: nullable(textOf<ProviderKind>()),
};

/** How the cancellation of a generation stands. */
type CancelState = RowOf<typeof cancelColumns>;

/** Returns how the cancellation of a generation stands; undefined if it was deleted. */
export const findCancelState = async (hub: AttemptsHub, id: string): Promise<CancelState | undefined> =>
  (await selectCancelState(hub.db, id))[0];

const selectCancelState = statement({
  params: [uuid],
  row: cancelColumns,
  text: `
    SELECT g.status, g.cancel_requested_at IS NOT NULL AS is_requested, g.cancel_refused_at IS NOT NULL AS is_refused,
           a.provider AS kind
    FROM generation g LEFT JOIN attempt a ON a.generation_id = g.id AND a.ended_at IS NULL AND NOT a.reserved
    WHERE g.id = $1`,
});
