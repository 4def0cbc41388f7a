import type { Metadata } from "next";
import { CONNECTION_DAYS } from "@/server/domain/connections/exchange-code";
import { denyConnection, sealQuestion } from "@/server/domain/connections/consent";
import { isRejected, readAuthorization } from "@/server/domain/connections/authorization-request";
import { describeRedirectUri } from "@/server/domain/connections/redirect-uri";
import { consumeRateLimit } from "@/server/domain/rates/rate-limit";
import { toEuros } from "@/server/lib/money";
import { requireOwnSession } from "../../../session/caller";
import { AccessCard } from "../../../ui/access-card";
import { Button } from "../../../ui/button";
import { ClientIdentity } from "./client-identity";
import { Consent } from "./consent";

export const metadata: Metadata = { title: "Connect an app" };

const DAY_MS = 86_400_000;

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Asks a person who is signed in whether an app may call `/mcp` for them, and up to which amount. */
export default async function AuthorizePage({ searchParams }: Props) {
  const session = await requireOwnSession("develop");
  const { hub, account } = session;
  // Reading the app's metadata is a request to a stranger's server.
  const { allowed } = await consumeRateLimit(hub, account.id, "write");
  if (!allowed) return <Rejected message="Too many requests. Wait a minute and try again." />;
  const request = await readAuthorization(hub, await searchParams);
  if (isRejected(request)) return <Rejected message={request.message} returnUrl={request.returnUrl} />;
  const { client, redirectUri } = request;
  return (
    <AccessCard title={`Connect ${client.name}?`}>
      <ClientIdentity host={client.host} redirect={describeRedirectUri(redirectUri)} email={account.email} />
      <Consent
        question={sealQuestion(session, request)}
        name={client.name}
        cancelUrl={denyConnection(session, request)}
        available={toEuros(account.balance - account.reserved)}
        expiresAt={new Date(hub.now().getTime() + CONNECTION_DAYS * DAY_MS).toISOString()}
      />
    </AccessCard>
  );
}

/** Explains why the app cannot be connected. It leaves for an address only by a click, and only if it is the app's own. */
const Rejected = ({ message, returnUrl }: { message: string; returnUrl?: string | null }) => (
  <AccessCard title="This app can’t be connected">
    <p className="text-sm leading-6 break-words">{message}</p>
    <p className="text-sm leading-6 text-soft">
      Start again in the app. If that doesn’t help, report it to its makers.
    </p>
    {returnUrl && (
      <Button asChild>
        <a href={returnUrl}>Return to the app</a>
      </Button>
    )}
  </AccessCard>
);
