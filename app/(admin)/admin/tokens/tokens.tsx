"use client";

import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "../../../trpc/client";
import type { Outputs } from "../../../trpc/outputs";
import { useHubMutation } from "../../../trpc/use-hub-mutation";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { Link } from "../../../ui/link";
import { Money } from "../../../ui/money";
import { Notice } from "../../../ui/notice";
import { PageHeader } from "../../../ui/page-header";
import { ActionTable, Td } from "../../../ui/table";
import { TimeUntil } from "../../../ui/values";
import { useIsOperator } from "../../use-operator";
import { TokenRow } from "../token-row";
import { CreateToken } from "./create-token";

type Token = Outputs["admin"]["tokens"]["list"][number];

/** Shows the tokens of operators' programs. */
export function Tokens() {
  const { data } = useQuery(useTRPC().admin.tokens.list.queryOptions());
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
      <PageHeader title="API tokens" action={create}>
        Your programs use the{" "}
        <Link href="/docs/api/management" className="underline">
          management API
        </Link>{" "}
        with a token.
      </PageHeader>
      <Card flush title="Tokens">
        {data.length === 0 ? (
          <Notice heading="h3" title="No tokens" icon={<KeyRound size={20} />}>
            Create a token for each program that manages accounts, keys or the catalogue.
          </Notice>
        ) : (
          <TokenTable tokens={data} />
        )}
      </Card>
      <CreateToken open={isCreating} onOpenChange={setCreating} />
    </>
  );
}

const TokenTable = ({ tokens }: { tokens: Token[] }) => (
  <ActionTable
    label="Tokens"
    columns={[
      { title: "Token" },
      { title: "Role" },
      { title: "Daily credit limit", className: "max-sm:hidden" },
      { title: "Expires", className: "max-sm:hidden" },
    ]}
  >
    {tokens.map((token) => (
      <ProgramToken key={token.id} token={token} />
    ))}
  </ActionTable>
);

function ProgramToken({ token }: { token: Token }) {
  const revoke = useHubMutation((trpc) => trpc.admin.tokens.revoke, {
    invalidates: (trpc) => [trpc.admin.tokens.pathFilter()],
    successToast: "Token revoked.",
  });
  const { name, role, daily_credit, expires_at } = token;
  return (
    <TokenRow
      token={token}
      consequence="The program’s next request is rejected."
      isRevoking={revoke.isPending}
      onRevoke={() => revoke.mutate({ name })}
    >
      <Td>{role === "operator" ? "Operator" : "Auditor"}</Td>
      <Td className="text-soft max-sm:hidden">
        {daily_credit === null ? "None" : <Money euros={daily_credit} decimals={2} />}
      </Td>
      <Td className="text-soft max-sm:hidden">{expires_at === null ? "Never" : <TimeUntil at={expires_at} />}</Td>
    </TokenRow>
  );
}
