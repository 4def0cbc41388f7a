import { listProofWays } from "../../../factors/list-proof-ways";
import { AccessCard } from "../../../ui/access-card";
import { requirePending } from "../pending";
import { UseAnotherAccount } from "../use-another-account";
import { Verify } from "./verify";

export const metadata = { title: "Second factor" };

export default async function VerifyPage(props: { searchParams: Promise<{ next?: string | string[] }> }) {
  const { factors, email, next } = await requirePending("verify", props);
  return (
    <AccessCard title="Confirm it’s you" below={<UseAnotherAccount email={email} />}>
      <Verify ways={listProofWays(factors)} next={next} />
    </AccessCard>
  );
}
