import { SearchX } from "lucide-react";
import { Button } from "../../../ui/button";
import { Link } from "../../../ui/link";
import { Notice } from "../../../ui/notice";

export default function NoModel() {
  const action = (
    <Button asChild kind="primary">
      <Link href="/models">View all models</Link>
    </Button>
  );
  return (
    <Notice heading="h1" title="Model not found" icon={<SearchX size={20} />} action={action}>
      It may have been renamed or removed, or be limited to members.
    </Notice>
  );
}
