import { getMailer } from "../../lib/mail";
import type { FactorCtx } from "./factor";

/** Tells a person by e-mail what changed about their second factors. Never throws: the change has happened. */
export function sendFactorNotice({ hub, person }: Pick<FactorCtx, "hub" | "person">, what: string): void {
  const text =
    `${what}\n\nAccount: ${person.email} at ${hub.env.BASE_URL}\n\n` +
    `If it was not you, change your password and check your second factors:\n${hub.env.BASE_URL}/settings/security\n`;
  const sent = getMailer(hub.env).send?.({ to: person.email, subject: "Your sign-in settings changed", text });
  void sent?.catch((error: unknown) => {
    hub.log.error({ err: error }, "notice about a second factor not sent");
  });
}
