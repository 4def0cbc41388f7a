import { Info, TriangleAlert } from "lucide-react";
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
      <p className="min-w-0 wrap-anywhere">{text}</p>
    </section>
  );
};
