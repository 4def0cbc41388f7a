import { Prefetch, trpc } from "../../../trpc/prefetch";
import { PageHeader } from "../../../ui/page-header";
import { AnnouncementForm } from "./announcement-form";

export const metadata = { title: "Announcement" };

export default function AnnouncementPage() {
  return (
    <Prefetch queries={[trpc.admin.announcement.get.queryOptions()]}>
      <PageHeader title="Announcement">A sentence above every page of the console, for everybody.</PageHeader>
      <AnnouncementForm />
    </Prefetch>
  );
}
