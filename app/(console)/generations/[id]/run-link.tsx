import { ExternalLink } from "lucide-react";

/** Links to the generation's run in Inngest's dashboard when the settings configure one. */
export function RunLink({ url }: { url: string | null }) {
  if (!url) return null;
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className="mt-4 inline-flex min-h-8 items-center gap-1.5 text-sm text-soft hover:text-ink pointer-coarse:min-h-11"
    >
      View run in Inngest
      <ExternalLink size={14} aria-hidden />
    </a>
  );
}
