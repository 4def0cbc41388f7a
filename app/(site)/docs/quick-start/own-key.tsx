import { listKeys } from "@/server/domain/keys/list";
import { findCaller } from "../../../session/current";
import { Link } from "../../../ui/link";

/** The line that sets the key, with the beginning of the reader's own newest one. */
export async function OwnKey() {
  const { hub, session } = await findCaller();
  if (!session) {
    const isOpen = hub.env.SIGN_UP === "open";
    return (
      <>
        <p>
          <Link href={`${isOpen ? "/sign-up" : "/sign-in"}?next=${encodeURIComponent("/docs/quick-start#key")}`}>
            {isOpen ? "Create an account" : "Sign in"}
          </Link>{" "}
          and make a key in the console, under API keys. It is shown once.
        </p>
        <KeyLine prefix="service_sk_" />
      </>
    );
  }
  const now = session.now();
  const own = (await listKeys(session)).find((key) => !key.revoked_at && (!key.expires_at || key.expires_at > now));
  if (!own) {
    return (
      <>
        <p>
          You have none yet. <Link href="/keys">Create a key</Link>: it is shown once.
        </p>
        <KeyLine prefix="service_sk_" />
      </>
    );
  }
  return (
    <>
      <p>
        Your newest is <strong>{own.name}</strong>. The whole of it was shown once, when it was made; without it,{" "}
        <Link href="/keys">create another</Link>.
      </p>
      <KeyLine prefix={own.prefix} />
    </>
  );
}

const KeyLine = ({ prefix }: { prefix: string }) => (
  <pre tabIndex={0} aria-label="The line that sets the key" className="block">
    export HUB_API_KEY={prefix}…
  </pre>
);
