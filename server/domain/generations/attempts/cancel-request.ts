import type { ProviderKind } from "../../../catalogue/model";
import { bool, nullable, textOf, timestamptz, uuid } from "../../../db/column-types";
import { type RowOf, statement } from "../../../db/statement";
import type { Status } from "../row";
import type { AttemptsHub } from "./hub";

/** SQL: whether a provider is to be asked to stop the generation `g`: it has not refused since the customer's last request. */
export const isCancelOpenSql = "g.cancel_requested_at IS NOT NULL AND g.cancel_refused_at IS NULL";

/**
 * Records that a customer wants a generation stopped that runs at a provider. Afterwards no attempt begins. A repeated
 * request changes nothing unless the provider has refused the last one: then it is asked again.
 */
export const requestCancel = async (hub: AttemptsHub, id: string): Promise<void> =>
  void (await updateRequest(hub.db, id, hub.now()));

const updateRequest = statement({
  params: [uuid, timestamptz],
  row: {},
  text: `
    UPDATE generation g SET cancel_requested_at = $2, cancel_refused_at = NULL
    WHERE g.id = $1 AND g.status = 'running' AND g.provider <> 'worker' AND NOT g.is_llm AND NOT (${isCancelOpenSql})`,
});

/** Records that the provider will not stop a generation. */
export const refuseCancel = async (hub: AttemptsHub, id: string): Promise<void> =>
  void (await updateRefusal(hub.db, id, hub.now()));

const updateRefusal = statement({
  params: [uuid, timestamptz],
  row: {},
  text: `UPDATE generation g SET cancel_refused_at = $2 WHERE g.id = $1 AND g.status = 'running' AND ${isCancelOpenSql}`,
});

const cancelColumns = {
  status: textOf<Status>(),
  /** Whether the customer has asked for it to be stopped. */
  is_requested: bool,
  is_refused: bool,
  /** The kind of the provider that has its job; null while it has none. */
  kind: nullable(textOf<ProviderKind>()),
};

/** How the cancellation of a generation stands. */
export type CancelState = RowOf<typeof cancelColumns>;

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
