import { Sparkles } from "lucide-react";
import { Button } from "../../ui/button";
import { Link } from "../../ui/link";
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
    <div className="flex flex-wrap justify-center gap-2">
      <Button kind="primary" asChild>
        <Link href="/playground">Open the playground</Link>
      </Button>
      <Button asChild>
        <Link href="/docs/quick-start">Quick start</Link>
      </Button>
    </div>
  );
  return (
    <Notice title="Nothing was generated yet" icon={<Sparkles size={20} />} action={action}>
      Try a model by hand, or{" "}
      <Link href="/keys" className="text-accent underline">
        create an API key
      </Link>{" "}
      for a program of yours.
    </Notice>
  );
}
