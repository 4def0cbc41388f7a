import { Prefetch, trpc } from "../../../trpc/prefetch";
import { PageHeader } from "../../../ui/page-header";
import { AnnouncementForm } from "./announcement-form";

export const metadata = { title: "Announcement" };

export default function AnnouncementPage() {
  return (
    <Prefetch queries={[trpc.admin.announcement.get.queryOptions()]}>
      <PageHeader title="Announcement">A message that everyone sees above every page of the console.</PageHeader>
      <AnnouncementForm />
    </Prefetch>
  );
}
