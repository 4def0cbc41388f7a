import { ImageIcon, Sparkles } from "lucide-react";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Link } from "../../ui/link";
import { Notice } from "../../ui/notice";
import { Sample } from "../../ui/sample";

const sample = (
  <Sample
    icon={<ImageIcon size={18} />}
    title="A lighthouse at dawn"
    detail="image model · €0.01 · 2 minutes ago"
    end={<StatusBadge status="succeeded" />}
  />
);

/** Shows the empty state of the list of generations. */
export function NoGenerations({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    const action = (
      <Button asChild>
        <Link href="/generations">Clear filters</Link>
      </Button>
    );
    return (
      <Notice heading="h3" title="No matches" icon={<Sparkles size={20} />} action={action}>
        No generations match these filters.
      </Notice>
    );
  }
  const action = (
    <div className="flex flex-wrap justify-center gap-2">
      <Button needs="develop" kind="primary" asChild>
        <Link href="/playground?first">Open the playground</Link>
      </Button>
      <Button asChild>
        <Link href="/docs/quick-start">Quick start</Link>
      </Button>
    </div>
  );
  return (
    <Notice heading="h3" title="No generations yet" icon={<Sparkles size={20} />} sample={sample} action={action}>
      Try a model in the playground, or{" "}
      <Link href="/keys" className="text-accent underline">
        create an API key
      </Link>{" "}
      to call one from your app.
    </Notice>
  );
}
