import { AccessCard } from "../../../ui/access-card";
import { requirePending } from "../pending";
import { UseAnotherAccount } from "../use-another-account";
import { Enrol } from "./enrol";

export const metadata = { title: "Set up a second factor" };

export default async function EnrolPage(props: { searchParams: Promise<{ next?: string | string[] }> }) {
  const { email, next } = await requirePending("enrol", props);
  return (
    <AccessCard title="Set up a second factor" below={<UseAnotherAccount email={email} />}>
      <Enrol next={next} />
    </AccessCard>
  );
}
