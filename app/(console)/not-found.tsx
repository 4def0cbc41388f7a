import { SearchX } from "lucide-react";
import { Button } from "../ui/button";
import { Link } from "../ui/link";
import { Notice } from "../ui/notice";

export default function NotFound() {
  const action = (
    <Button asChild>
      <Link href="/overview">Go to overview</Link>
    </Button>
  );
  return (
    <Notice title="Page not found" heading="h1" icon={<SearchX size={20} />} action={action}>
      This page doesn’t exist, has expired, or belongs to another account.
    </Notice>
  );
}
