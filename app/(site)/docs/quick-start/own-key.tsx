import { getPageApi } from "@/server/hub";
import { findCaller } from "../../../session/caller";
import { Link } from "../../../ui/link";

/** Shows the command that sets the key, with the prefix of the reader's newest key. */
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
          and create a key in the console under API keys. It is shown only once.
        </p>
        <KeyLine prefix="service_sk_" />
      </>
    );
  }
  const { listKeys } = await getPageApi();
  const now = session.hub.now();
  const newestKey = (await listKeys(session)).find(
    (key) => !key.revoked_at && (!key.expires_at || key.expires_at > now),
  );
  if (!newestKey) {
    return (
      <>
        <p>
          You don’t have a key yet. <Link href="/keys">Create one</Link>. It is shown only once.
        </p>
        <KeyLine prefix="service_sk_" />
      </>
    );
  }
  return (
    <>
      <p>
        Your newest key is “{newestKey.name}”. It was shown once; if you didn’t save it,{" "}
        <Link href="/keys">create another</Link>.
      </p>
      <KeyLine prefix={newestKey.prefix} />
    </>
  );
}

const KeyLine = ({ prefix }: { prefix: string }) => (
  <pre tabIndex={0} aria-label="Command that sets the key" className="block">
    export HUB_API_KEY={prefix}…
  </pre>
);
