import { operationActions } from "../../actions/operations";
import { checkOnline } from "../../catalogue/check-online";
import { listBillReports } from "../../domain/provider-bills";
import { AppError } from "../../errors";
import { auditorProcedure, byId, operatorProcedure, procedureOf, router } from "../procedure";

export const providers = router({
  list: procedureOf(operationActions.providers).query(({ ctx: { hub, operator } }) =>
    operationActions.providers.run(hub, operator, undefined),
  ),

  /** Returns the newest comparison of each provider's bill. */
  bills: auditorProcedure.query(({ ctx: { hub } }) => listBillReports(hub)),

  /** Asks a provider, free of charge, whether it knows the key and the models. The key is sent to it. */
  check: operatorProcedure.input(byId).mutation(async ({ ctx: { hub }, input }) => {
    const models = [...hub.catalogue.values()].map((model) => ({
      ...model,
      routes: model.routes.filter(({ provider }) => provider.id === input.id),
    }));
    if (models.every(({ routes }) => routes.length === 0))
      throw new AppError("resource_not_found", "No route of the catalogue uses this provider.");
    return checkOnline(models, { allowHosts: hub.env.OUTBOUND_ALLOW_HOSTS });
  }),
});
