import type { Ctx } from "../../context";
import { AppError } from "../../errors";
import type { AlertsHub } from "./hub";
import { postToSlack } from "./post-to-slack";
import { selectSetting } from "./settings";
import { decryptSlackUrl } from "./slack-url";

/** Posts a test to the Slack URL of the account. Throws a 409 without one, and a 400 that says why it was not accepted. */
export async function sendTestMessage({ hub, account }: Ctx<AlertsHub>): Promise<void> {
  const [setting] = await selectSetting(hub.db, account.id);
  const url = setting?.slack_url && decryptSlackUrl(hub, account.id, setting.slack_url);
  if (!url) throw new AppError("invalid_state", "Save a URL first.");
  const name = account.name ?? account.email;
  await postToSlack(hub.fetch, url, `Alerts of ${name} at ${hub.env.BASE_URL} arrive here.`);
}
