interface Props {
  /** The site that vouches for the app; null if nobody does. */
  host: string | null;
  redirect: { kind: "site" | "computer" | "app"; host: string };
  email: string;
}

/** Shows who asks, where the answer goes, and for which account. */
export const ClientIdentity = ({ host, redirect, email }: Props) => (
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

function describeRedirect({ kind, host }: Props["redirect"]): string {
  if (kind === "site") return host;
  return kind === "computer" ? `A program on this computer (${host})` : `An app on this device (${host})`;
}
