import { Lock } from "lucide-react";
import type { AccountView } from "@/server/context";
import { requireSession } from "../../session/caller";
import { Button } from "../../ui/button";
import { Link } from "../../ui/link";
import { Notice } from "../../ui/notice";

export const metadata = { title: "No access" };

const describeView = ({ showsContent }: AccountView): string =>
  showsContent
    ? "You are viewing this account read-only."
    : "View the account with a reason to see prompts, outputs and files.";

/** Explains that the person's role does not allow a page. */
export default async function NoAccessPage() {
  const { account, actor } = await requireSession("self");
  const action = (
    <Button asChild>
      <Link href="/overview">Go to overview</Link>
    </Button>
  );
  return (
    <Notice title="You don’t have access to this page" heading="h1" icon={<Lock size={20} />} action={action}>
      {actor.view
        ? describeView(actor.view)
        : `You have the role ${actor.person.role} in ${account.name ?? account.email}. Ask one of its owners for another role.`}
    </Notice>
  );
}
