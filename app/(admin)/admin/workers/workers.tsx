"use client";

import { useQuery } from "@tanstack/react-query";
import { Cpu, KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "../../../trpc/client";
import type { Outputs } from "../../../trpc/outputs";
import { useHubMutation } from "../../../trpc/use-hub-mutation";
import { Badge } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { errorsOf } from "../../../ui/errors-of";
import { Form, FormError, readText, TextField } from "../../../ui/form";
import { Notice } from "../../../ui/notice";
import { PageHeader } from "../../../ui/page-header";
import { SecretDialog } from "../../../ui/secret-dialog";
import { ActionTable, Table, Td, Th } from "../../../ui/table";
import { TimeAgo } from "../../../ui/values";
import { useIsOperator } from "../../use-operator";
import { TokenRow } from "../token-row";

type WorkerList = Outputs["admin"]["workers"]["list"];

const POLL_INTERVAL_MS = 5_000;

/** Shows the hub's workers and worker tokens. */
export function Workers() {
  const { data } = useQuery({ ...useTRPC().admin.workers.list.queryOptions(), refetchInterval: POLL_INTERVAL_MS });
  const [isCreating, setCreating] = useState(false);
  const isOperator = useIsOperator();
  if (!data) return null;
  const create = isOperator && (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Plus size={16} aria-hidden />
      Create token
    </Button>
  );
  return (
    <>
      <PageHeader title="Workers" action={create}>
        Your own GPU programs that run jobs of this hub.
      </PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <Card flush title="Connected to this process">
          <WorkerTable workers={data.workers} />
        </Card>
        <Card flush title="Tokens">
          <TokenTable tokens={data.tokens} />
        </Card>
      </div>
      <CreateToken open={isCreating} onOpenChange={setCreating} />
    </>
  );
}

function WorkerTable({ workers }: Pick<WorkerList, "workers">) {
  if (workers.length === 0)
    return (
      <Notice heading="h3" title="No workers" icon={<Cpu size={20} />}>
        Workers appear here once they request a job.
      </Notice>
    );
  return (
    <Table label="Workers">
      <thead>
        <tr>
          <Th>Worker</Th>
          <Th>Status</Th>
          <Th className="max-sm:hidden">Models</Th>
        </tr>
      </thead>
      <tbody>
        {workers.map(({ id, name, is_online, seen_at, models }) => (
          <tr key={id}>
            <Td className="font-medium">{name}</Td>
            <Td>
              {is_online ? (
                <Badge tone="good">Online</Badge>
              ) : (
                <span className="text-soft">
                  Seen <TimeAgo at={seen_at} />
                </span>
              )}
            </Td>
            <Td className="w-full max-w-0 truncate text-soft max-sm:hidden">{models.join(", ")}</Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function TokenTable({ tokens }: Pick<WorkerList, "tokens">) {
  if (tokens.length === 0)
    return (
      <Notice heading="h3" title="No tokens" icon={<KeyRound size={20} />}>
        Workers authenticate with a token. Create one for each.
      </Notice>
    );
  return (
    <ActionTable label="Tokens" columns={[{ title: "Token" }, { title: "Created", className: "max-sm:hidden" }]}>
      {tokens.map((token) => (
        <WorkerToken key={token.id} token={token} />
      ))}
    </ActionTable>
  );
}

function WorkerToken({ token }: { token: WorkerList["tokens"][number] }) {
  const revoke = useHubMutation((trpc) => trpc.admin.workers.revokeToken, {
    invalidates: (trpc) => [trpc.admin.workers.pathFilter()],
    successToast: "Token revoked.",
  });
  return (
    <TokenRow
      token={token}
      consequence="The worker’s next request is rejected, and its jobs move to other workers when their leases expire."
      isRevoking={revoke.isPending}
      onRevoke={() => revoke.mutate({ name: token.name })}
    >
      <Td className="text-soft max-sm:hidden">
        <TimeAgo at={token.created_at} />
      </Td>
    </TokenRow>
  );
}

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Creates a worker token, which is shown once. */
function CreateToken({ open, onOpenChange }: Props) {
  const create = useHubMutation((trpc) => trpc.admin.workers.createToken, {
    invalidates: (trpc) => [trpc.admin.workers.pathFilter()],
    showsError: true,
  });
  const errors = errorsOf(create.error);
  return (
    <SecretDialog
      open={open}
      onOpenChange={onOpenChange}
      create={create}
      title="Create a worker token"
      kind="token"
      reveal={({ name, token }) => ({ title: `“${name}” is ready`, secret: token })}
    >
      <Form onSubmit={(fields) => create.mutate({ name: readText(fields, "name") })} error={create.error}>
        <TextField
          name="name"
          label="Name"
          required
          maxLength={100}
          data-missing="Enter a name."
          hint="For example the machine that the worker runs on."
          error={errors?.field("name", "The name")}
        />
        <FormError>{errors?.messageUnlessAt("name")}</FormError>
        <Button kind="primary" type="submit" busy={create.isPending}>
          Create token
        </Button>
      </Form>
    </SecretDialog>
  );
}
