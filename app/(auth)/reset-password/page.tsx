import type { Metadata } from "next";
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
  return (
    <AccessCard title="Set a new password" below={<Link href="/forgot-password">Request a new link</Link>}>
      {token ? <ResetPassword token={token} /> : <p className="text-sm text-soft">Open the link from your e-mail.</p>}
    </AccessCard>
  );
}
