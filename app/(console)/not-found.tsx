import { SearchX } from "lucide-react";
import { Button } from "../ui/button";
import { Link } from "../ui/link";
import { Notice } from "../ui/notice";

export default function NotFound() {
  const action = (
    <Button asChild>
      <Link href="/overview">Go to the overview</Link>
    </Button>
  );
  return (
    <Notice title="There is no such page" heading="h1" icon={<SearchX size={20} />} action={action}>
      What this address names does not exist, is not kept any more, or belongs to another account.
    </Notice>
  );
}
