import { Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Announcement } from "@/server/domain/announcements";

/** Shows an announcement of the hub's operators. */
export const AnnouncementBanner = ({ announcement: { text, level } }: { announcement: Announcement }) => {
  const Icon = level === "warning" ? TriangleAlert : Info;
  return (
    <section
      aria-label="Announcement"
      className={`flex items-start gap-3 border-b px-4 py-2.5 text-sm leading-6 ${
        level === "warning" ? "border-warning bg-warning-wash text-warning" : "border-line bg-wash text-accent"
      }`}
    >
      <Icon size={16} aria-hidden className="mt-1 shrink-0" />
      <p className="min-w-0 wrap-anywhere">{linkUrls(text)}</p>
    </section>
  );
};

// A full stop or a bracket after a URL belongs to the sentence.
const URL_IN_TEXT = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/;

/** Returns a text whose URLs are links. */
const linkUrls = (text: string): ReactNode[] =>
  text.split(URL_IN_TEXT).map((part, index) =>
    index % 2 === 1 ? (
      <a key={index} href={part} target="_blank" rel="noreferrer" className="underline">
        {part}
      </a>
    ) : (
      part
    ),
  );
