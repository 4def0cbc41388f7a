import type { Metadata } from "next";
import { getPageApi } from "@/server/hub";
import { roleLabel } from "../../(console)/members/types";
import { findCaller } from "../../session/caller";
import { AccessCard } from "../../ui/access-card";
import { Button } from "../../ui/button";
import { Link } from "../../ui/link";
import { Accept } from "./accept";
import { AcceptLink } from "./accept-link";

// The URL contains a secret token, so no referrer is sent.
export const metadata: Metadata = { title: "Invitation", referrer: "no-referrer" };

interface Props {
  searchParams: Promise<{ token?: string | string[] }>;
}

/** Shows an invitation and how to accept it. */
export default async function InvitationPage({ searchParams }: Props) {
  const token = [(await searchParams).token].flat()[0] ?? "";
  const { hub, session, address } = await findCaller();
  const { findInvitation, isAppError } = await getPageApi();
  const found = await findInvitation(hub, token, address).catch((error: unknown) => {
    if (isAppError(error)) return error.message;
    throw error;
  });
  if (typeof found === "string")
    return (
      <AccessCard title="This invitation can’t be used">
        <p className="text-sm leading-6 text-soft">
          It has been used, expired or withdrawn. Ask the person who invited you for a new one.
        </p>
      </AccessCard>
    );
  const { account, role, invitedBy, email, signsIn } = found;
  // A view of an account does not act for its person.
  const signedInAs = (session?.actor.view ? null : session?.actor.person.email) ?? null;
  return (
    <AccessCard title={`Join ${account}`}>
      <p className="text-sm leading-6 wrap-anywhere">
        {invitedBy} invites {email ?? "you"} to this account with the role {roleLabel(role)}.
      </p>
      {email === null ? (
        <AcceptLink token={token} signedInAs={signedInAs} />
      ) : signsIn && signedInAs !== email ? (
        <SignInFirst token={token} email={email} signedInAs={signedInAs} />
      ) : (
        <Accept token={token} email={email} choosesPassword={!signsIn} />
      )}
    </AccessCard>
  );
}

interface SignInProps {
  token: string;
  email: string;
  /** The e-mail address of another person who is signed in; null if nobody is. */
  signedInAs: string | null;
}

const SignInFirst = ({ token, email, signedInAs }: SignInProps) => (
  <>
    {signedInAs && (
      <p className="text-sm leading-6 wrap-anywhere text-soft">
        You are signed in as {signedInAs}. Sign out, and open the link again.
      </p>
    )}
    <Button kind="primary" asChild>
      <Link
        href={signedInAs ? "/settings" : `/sign-in?next=${encodeURIComponent(`/invitation?token=${token}`)}`}
        prefetch={false}
      >
        {signedInAs ? "Go to settings" : `Sign in as ${email}`}
      </Link>
    </Button>
  </>
);
