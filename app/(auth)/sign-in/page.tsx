import { redirect } from "next/navigation";
import { getHub } from "@/server/hub";
import { findCaller, pendingPath } from "../../session/caller";
import { nextPath } from "../../session/next-path";
import { services } from "../../session/services";
import { AccessCard } from "../../ui/access-card";
import { Link } from "../../ui/link";
import { SignIn } from "./sign-in";

export const metadata = { title: "Sign in" };

interface Props {
  searchParams: Promise<{ next?: string | string[]; error?: string | string[] }>;
}

export default async function SignInPage({ searchParams }: Props) {
  const query = await searchParams;
  const next = nextPath(query.next);
  const { session, pending } = await findCaller();
  if (pending && !query.error) redirect(pendingPath(pending, next));
  if (session && !query.error) redirect(next);
  const { env } = await getHub();
  const below = env.SIGN_UP === "open" && (
    <>
      New here? <Link href={`/sign-up?next=${encodeURIComponent(next)}`}>Create an account</Link>
    </>
  );
  return (
    <AccessCard title="Sign in" below={below}>
      <SignIn
        next={next}
        error={[query.error].flat()[0]}
        services={services(env).map(({ id, name }) => ({ id, name }))}
      />
    </AccessCard>
  );
}
