import { ArrowRightLeft } from "lucide-react";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Link } from "../../ui/link";
import { Notice } from "../../ui/notice";
import { Sample } from "../../ui/sample";
import type { Filters } from "./read-filters";

const sample = (
  <Sample
    icon={<ArrowRightLeft size={18} />}
    title="POST /api/v1/hub/generations"
    detail="model_not_found · my-app · 2 minutes ago"
    end={<Badge tone="warning">404</Badge>}
  />
);

/** Shows the empty state of the list. */
export function NoRequests({ filters: { show, ...others } }: { filters: Filters }) {
  if (Object.values(others).some((value) => value !== undefined)) {
    return (
      <NoticeInCard title="No matches" href="/requests" action="Clear filters">
        No requests match these filters.
      </NoticeInCard>
    );
  }
  if (show === "rejected") {
    return (
      <NoticeInCard title="No rejected requests" href="/docs/hub/errors" action="View error codes" hasSample>
        When a request with one of your API keys fails, it appears here with its error.
      </NoticeInCard>
    );
  }
  return (
    <NoticeInCard title="No requests yet" href="/docs/quick-start" action="Quick start" hasSample>
      When your app or the playground starts a generation, or a request with one of your API keys fails, it appears
      here.
    </NoticeInCard>
  );
}

interface Props {
  title: string;
  href: string;
  action: string;
  hasSample?: boolean;
  children: string;
}

const NoticeInCard = ({ title, href, action, hasSample, children }: Props) => (
  <Notice
    heading="h3"
    title={title}
    icon={<ArrowRightLeft size={20} />}
    sample={hasSample && sample}
    action={
      <Button asChild>
        <Link href={href}>{action}</Link>
      </Button>
    }
  >
    {children}
  </Notice>
);
