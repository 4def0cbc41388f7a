import { z } from "zod";
import { listActionNames, listActions } from "../../domain/operations";
import { auditorProcedure, router } from "../procedure";

const PAGE = 50;

const filter = z.string().trim().min(1).max(300).optional();

export const auditLog = router({
  list: auditorProcedure
    .input(z.object({ action: filter, operator: filter, target: filter, before: z.string().max(50).optional() }))
    .query(({ ctx: { hub }, input: { before, ...filters } }) => listActions(hub, filters, { before, limit: PAGE })),

  /** Returns the names of the actions by which the list can be filtered. */
  actions: auditorProcedure.query(({ ctx: { hub } }) => listActionNames(hub)),
});
