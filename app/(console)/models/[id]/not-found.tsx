import { SearchX } from "lucide-react";
import { Button } from "../../../ui/button";
import { Link } from "../../../ui/link";
import { Notice } from "../../../ui/notice";

export default function NoModel() {
  const action = (
    <Button asChild kind="primary">
      <Link href="/models">See all models</Link>
    </Button>
  );
  return (
    <Notice heading="h1" title="There is no such model" icon={<SearchX size={20} />} action={action}>
      It may have been renamed, taken out of the catalogue, or be for members only.
    </Notice>
  );
}
