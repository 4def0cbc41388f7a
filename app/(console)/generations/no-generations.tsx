import { Sparkles } from "lucide-react";
import Link from "next/link";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";

/** An empty list, and the way to fill it. */
export function NoGenerations({ isNarrowed }: { isNarrowed: boolean }) {
  if (isNarrowed) {
    const action = (
      <Button asChild>
        <Link href="/generations">Show all</Link>
      </Button>
    );
    return (
      <Notice title="Nothing fits" icon={<Sparkles size={20} />} action={action}>
        No generation is as these filters say.
      </Notice>
    );
  }
  const action = (
    <Button kind="primary" asChild>
      <Link href="/keys">Create an API key</Link>
    </Button>
  );
  return (
    <Notice title="Nothing was generated yet" icon={<Sparkles size={20} />} action={action}>
      Make a key, and send your first request as the{" "}
      <Link href="/docs" className="text-accent underline">
        documentation
      </Link>{" "}
      shows.
    </Notice>
  );
}
