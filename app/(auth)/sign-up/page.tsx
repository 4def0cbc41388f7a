import { getHub } from "@/server/hub";
import { nextPath } from "../../session/next-path";
import { AccessCard } from "../../ui/access-card";
import { Link } from "../../ui/link";
import { SignUp } from "./sign-up";

export const metadata = { title: "Create an account" };

interface Props {
  searchParams: Promise<{ next?: string | string[] }>;
}

export default async function SignUpPage({ searchParams }: Props) {
  const next = nextPath((await searchParams).next);
  const { env } = await getHub();
  const below = (
    <>
      Have an account? <Link href={`/sign-in?next=${encodeURIComponent(next)}`}>Sign in</Link>
    </>
  );
  return (
    <AccessCard title="Create an account" below={below}>
      {env.SIGN_UP === "open" ? (
        <SignUp next={next} />
      ) : (
        <p className="text-sm leading-6 text-soft">Only this hub’s operator can create accounts. Ask them for one.</p>
      )}
    </AccessCard>
  );
}
