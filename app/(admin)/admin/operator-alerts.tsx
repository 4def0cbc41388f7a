"use client";

import { CircleCheck } from "lucide-react";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Notice } from "../../ui/notice";
import { Table, Td, Th } from "../../ui/table";
import { TimeAgo } from "../../ui/values";
import type { HubState } from "../types";
import { useIsOperator } from "../use-operator";

/** Lists what is wrong with the hub now, and who is alerted. */
export const OperatorAlerts = ({ state: { alerts, alert_recipients } }: { state: HubState }) => (
  <Card flush title="Alerts">
    {alerts.length === 0 ? (
      <Notice heading="h3" title="No alerts" icon={<CircleCheck size={20} />}>
        Providers that are down, backlogs, audit violations, full disks and failed payments appear here.
      </Notice>
    ) : (
      <AlertTable alerts={alerts} />
    )}
    <Recipients recipients={alert_recipients} />
  </Card>
);

const AlertTable = ({ alerts }: Pick<HubState, "alerts">) => (
  <Table label="Alerts">
    <thead>
      <tr>
        <Th>Alert</Th>
        <Th>Raised</Th>
      </tr>
    </thead>
    <tbody>
      {alerts.map(({ name, subject, title, detail, raised_at }) => (
        <tr key={`${name} ${subject}`}>
          <Td className="w-full">
            <span className="block font-medium wrap-anywhere">{title}</span>
            <span className="block text-xs text-soft wrap-anywhere">{detail}</span>
          </Td>
          <Td className="text-soft">
            <TimeAgo at={raised_at} />
          </Td>
        </tr>
      ))}
    </tbody>
  </Table>
);

function Recipients({ recipients: { emails, slack_host } }: { recipients: HubState["alert_recipients"] }) {
  const isOperator = useIsOperator();
  const test = useHubMutation((trpc) => trpc.admin.state.testAlerts, { successToast: "Test sent." });
  const recipients = [...emails, ...(slack_host === null ? [] : [slack_host])];
  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-line px-5 py-4 text-sm">
      <p className="min-w-0 flex-1 basis-64 wrap-anywhere text-soft">
        {recipients.length === 0 ? (
          <>
            Nobody gets alerts. Set <code>ALERT_EMAILS</code> or <code>ALERT_SLACK_URL</code>.
          </>
        ) : (
          `Sent to ${recipients.join(", ")}`
        )}
      </p>
      {isOperator && recipients.length > 0 && (
        <Button busy={test.isPending} onClick={() => test.mutate()}>
          Send a test
        </Button>
      )}
    </div>
  );
}
