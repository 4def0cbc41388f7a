import type { Metadata } from "next";
import { getPageApi } from "@/server/hub";
import { requireOwnSession } from "../../../session/caller";
import { AccessCard } from "../../../ui/access-card";
import { Button } from "../../../ui/button";
import { ClientIdentity } from "./client-identity";
import { Consent } from "./consent";

export const metadata: Metadata = { title: "Connect an app" };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Asks a person who is signed in whether an app may call `/mcp` for them, and up to which amount. */
export default async function AuthorizePage({ searchParams }: Props) {
  const session = await requireOwnSession("develop");
  const { prepareConsent } = await getPageApi();
  const prepared = await prepareConsent(session, await searchParams);
  if (prepared.rejection !== undefined) return <Rejected message={prepared.rejection} returnUrl={prepared.returnUrl} />;
  const { client, redirect, question, cancelUrl, available, expiresAt } = prepared;
  return (
    <AccessCard title={`Connect ${client.name}?`}>
      <ClientIdentity host={client.host} redirect={redirect} email={session.account.email} />
      <Consent
        question={question}
        name={client.name}
        cancelUrl={cancelUrl}
        available={available}
        expiresAt={expiresAt}
      />
    </AccessCard>
  );
}

/** Explains why the app cannot be connected. It leaves for an address only by a click, and only if it is the app's own. */
const Rejected = ({ message, returnUrl }: { message: string; returnUrl: string | null }) => (
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
