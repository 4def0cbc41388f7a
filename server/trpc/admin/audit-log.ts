import { z } from "zod";
import { operationActions } from "../../actions/operations";
import { listActionNames } from "../../domain/operations";
import { auditorProcedure, procedureOf, router } from "../procedure";

const PAGE = 50;

const filter = z.string().trim().min(1).max(300).optional();

export const auditLog = router({
  list: procedureOf(operationActions.auditLog)
    .input(z.object({ action: filter, operator: filter, target: filter, before: z.string().max(50).optional() }))
    .query(({ ctx: { hub, operator }, input }) =>
      operationActions.auditLog.run(hub, operator, { ...input, limit: PAGE }),
    ),

  /** Returns the names of the actions by which the list can be filtered. */
  actions: auditorProcedure.query(({ ctx: { hub } }) => listActionNames(hub)),
});
