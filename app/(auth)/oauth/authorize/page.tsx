import { getPageApi } from "@/server/hub";
import { requireOwnSession } from "../../../session/caller";
import { AccessCard } from "../../../ui/access-card";
import { Button } from "../../../ui/button";
import { Consent } from "./consent";

export const metadata = { title: "Connect an app" };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Asks a signed-in person whether an app may call `/mcp` for them, and for its spend limit. */
export default async function AuthorizePage({ searchParams }: Props) {
  const session = await requireOwnSession("develop");
  const { prepareConsent } = await getPageApi();
  const prepared = await prepareConsent(session, await searchParams);
  if (prepared.rejection !== undefined) return <Rejected message={prepared.rejection} returnUrl={prepared.returnUrl} />;
  const { client, redirect, question, cancelUrl, available, expiresAt } = prepared;
  return (
    <AccessCard title={`Connect ${client.name}?`}>
      <ClientIdentity host={client.host} redirect={redirect} account={session.account.name ?? session.account.email} />
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

/** Explains why the app cannot be connected. Returns to the app only on a click, and only to the app's own URL. */
const Rejected = ({ message, returnUrl }: { message: string; returnUrl: string | null }) => (
  <AccessCard title="This app can’t be connected">
    <p className="text-sm leading-6 break-words">{message}</p>
    <p className="text-sm leading-6 text-soft">Try again from the app. If that doesn’t help, contact its developers.</p>
    {returnUrl && (
      <Button asChild>
        <a href={returnUrl}>Return to the app</a>
      </Button>
    )}
  </AccessCard>
);

interface ClientIdentityProps {
  /** The site that the app was verified by; null if it is not verified. */
  host: string | null;
  redirect: { kind: "site" | "computer" | "app"; host: string };
  account: string;
}

/** Shows the app, where it returns to, and the account. */
const ClientIdentity = ({ host, redirect, account }: ClientIdentityProps) => (
  <dl className="grid gap-3 text-sm [&_dd]:break-words [&_dt]:text-soft">
    <div>
      <dt>App</dt>
      <dd>{host ?? "Not verified: the app chose its own name. Connect it only if you started this yourself."}</dd>
    </div>
    <div>
      <dt>Returns to</dt>
      <dd className="font-medium">{describeRedirect(redirect)}</dd>
    </div>
    <div>
      <dt>Your account</dt>
      <dd>{account}</dd>
    </div>
  </dl>
);

function describeRedirect({ kind, host }: ClientIdentityProps["redirect"]): string {
  if (kind === "site") return host;
  return kind === "computer" ? `A program on this computer (${host})` : `An app on this device (${host})`;
}
