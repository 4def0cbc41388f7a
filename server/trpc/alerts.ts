import { z } from "zod";
import {
  AlertInput,
  changeAlertSettings,
  chooseOwnAlerts,
  getAlertSettings,
  getOwnAlerts,
  sendTestMessage,
} from "../domain/alerts";
import { procedure, router } from "./procedure";

const manage = procedure("manage");

export const alerts = router({
  /** Whether the person gets the account's alerts by e-mail. */
  own: procedure("self").query(({ ctx }) => getOwnAlerts(ctx)),

  chooseOwn: procedure("self")
    .meta({ cost: "keys" })
    .input(z.object({ is_recipient: z.boolean() }))
    .mutation(({ ctx, input }) => chooseOwnAlerts(ctx, input.is_recipient)),

  get: manage.query(({ ctx }) => getAlertSettings(ctx)),

  change: manage
    .meta({ cost: "keys" })
    .input(AlertInput)
    .mutation(({ ctx, input }) => changeAlertSettings(ctx, input)),

  /** Posts a test to the account's Slack URL. */
  test: manage.meta({ cost: "keys" }).mutation(({ ctx }) => sendTestMessage(ctx)),
});
