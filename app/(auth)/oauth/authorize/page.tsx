import { getPageApi } from "@/server/hub";
import { requireOwnSession } from "../../../session/caller";
import { AccessCard } from "../../../ui/access-card";
import { Button } from "../../../ui/button";
import { Consent } from "./consent";

export const metadata = { title: "Connect an app" };

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

interface ClientIdentityProps {
  /** The site that vouches for the app; null if nobody does. */
  host: string | null;
  redirect: { kind: "site" | "computer" | "app"; host: string };
  email: string;
}

/** Shows who asks, where the answer goes, and for which account. */
const ClientIdentity = ({ host, redirect, email }: ClientIdentityProps) => (
  <dl className="grid gap-3 text-sm [&_dd]:break-words [&_dt]:text-soft">
    <div>
      <dt>App</dt>
      <dd>{host ?? "Not verified: it chose its own name. Connect it only if you started this yourself."}</dd>
    </div>
    <div>
      <dt>Returns to</dt>
      <dd className="font-medium">{describeRedirect(redirect)}</dd>
    </div>
    <div>
      <dt>Your account</dt>
      <dd>{email}</dd>
    </div>
  </dl>
);

function describeRedirect({ kind, host }: ClientIdentityProps["redirect"]): string {
  if (kind === "site") return host;
  return kind === "computer" ? `A program on this computer (${host})` : `An app on this device (${host})`;
}
