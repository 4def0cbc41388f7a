import type { Metadata } from "next";
import { getPageApi } from "@/server/hub";
import { findCaller } from "../../session/caller";
import { AccessCard } from "../../ui/access-card";
import { Link } from "../../ui/link";
import { ResetPassword } from "./reset-password";

// The URL contains a secret token, so no referrer is sent.
export const metadata: Metadata = { title: "Set a new password", referrer: "no-referrer" };

interface Props {
  searchParams: Promise<{ token?: string | string[] }>;
}

export default async function ResetPasswordPage({ searchParams }: Props) {
  const token = [(await searchParams).token].flat()[0];
  const problem = token ? await findProblem(token) : "Open the link from your e-mail.";
  return (
    <AccessCard title="Set a new password" below={<Link href="/forgot-password">Request a new link</Link>}>
      {problem ? <p className="text-sm leading-6 text-soft">{problem}</p> : <ResetPassword token={token!} />}
    </AccessCard>
  );
}

/** Returns why a token cannot be used, before somebody thinks of a password; null for a valid one. */
async function findProblem(token: string): Promise<string | null> {
  const { hub, address } = await findCaller();
  const { canReset, isAppError } = await getPageApi();
  try {
    return (await canReset(hub, token, address)) ? null : "This link was used already or has expired.";
  } catch (error) {
    if (isAppError(error)) return error.message;
    throw error;
  }
}
