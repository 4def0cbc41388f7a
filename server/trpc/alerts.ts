import { AlertInput, changeAlertSettings, getAlertSettings, sendTestMessage } from "../domain/alerts";
import { procedure, router } from "./procedure";

const manage = procedure("manage");

export const alerts = router({
  get: manage.query(({ ctx }) => getAlertSettings(ctx)),

  change: manage
    .meta({ cost: "keys" })
    .input(AlertInput)
    .mutation(({ ctx, input }) => changeAlertSettings(ctx, input)),

  /** Posts a test to the account's Slack URL. */
  test: manage.meta({ cost: "keys" }).mutation(({ ctx }) => sendTestMessage(ctx)),
});
