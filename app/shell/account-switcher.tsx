"use client";

import type { OwnAccount } from "@/server/domain/sessions";
import { clearLocalData } from "../storage/local-data";
import { useHubMutation } from "../trpc/use-hub-mutation";
import { Select } from "../ui/controls";

interface Props {
  /** The id of the session's account. */
  accountId: number;
  personEmail: string;
  /** All accounts that the person may act for, more than one. */
  accounts: OwnAccount[];
}

/** Lets a person with several accounts choose the one to act for. */
export function AccountSwitcher({ accountId, personEmail, accounts }: Props) {
  const change = useHubMutation((trpc) => trpc.account.switch, { onSuccess: leave });
  return (
    <Select
      aria-label={`Account; signed in as ${personEmail}`}
      className="min-h-9 w-full min-w-0 truncate rounded-lg border border-line bg-raised px-2 text-base sm:text-xs pointer-coarse:min-h-11"
      value={change.isPending ? change.variables.account : accountId}
      onChange={({ target }) => change.mutate({ account: Number(target.value) })}
    >
      {accounts.map(({ id, name, role }) => (
        <option key={id} value={id}>
          {name} ({role})
        </option>
      ))}
    </Select>
  );
}

/** Loads the page again, so that no data of the other account stays in memory or in the browser. */
function leave(): void {
  clearLocalData();
  window.location.assign("/overview");
}
