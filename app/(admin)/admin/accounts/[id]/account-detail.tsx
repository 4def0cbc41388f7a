"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../../trpc/client";
import { useHubMutation } from "../../../../trpc/use-hub-mutation";
import { Badge } from "../../../../ui/badge";
import { Button } from "../../../../ui/button";
import { closingWaits } from "../../../../ui/closing-waits";
import { Card } from "../../../../ui/card";
import { TextArea } from "../../../../ui/controls";
import { errorsOf } from "../../../../ui/errors-of";
import { Field, Form, readText } from "../../../../ui/form";
import { BackLink } from "../../../../ui/link";
import { MoneyLines } from "../../../../ui/money";
import { PageHeader } from "../../../../ui/page-header";
import { Bytes, Count, TimeAgo, TimeUntil } from "../../../../ui/values";
import type { AccountRecord } from "../../../types";
import { useIsOperator } from "../../../use-operator";
import { AccountActions } from "./account-actions";
import { ActionList, EndpointList, EntryList, GenerationList, KeyList, MemberList, PaymentList } from "./account-lists";

/** Shows an account: balance, statement, generations, keys, members and operator actions. */
export function AccountDetail({ id }: { id: number }) {
  const { data: account } = useQuery(useTRPC().admin.accounts.get.queryOptions({ account: id }));
  if (!account) return null;
  const { name, email, suspended, member, created_at, closing } = account;
  return (
    <>
      <BackLink href="/admin/accounts">Accounts</BackLink>
      <PageHeader title={name ?? email} action={<AccountActions account={account} />}>
        <span className="flex flex-wrap items-center gap-2">
          <span>
            Account {id}
            {name !== null && `, ${email}`}, created <TimeAgo at={created_at} />
          </span>
          {suspended && <Badge tone="danger">Suspended</Badge>}
          {member && <Badge tone="accent">Member</Badge>}
          {closing && <ClosingState closing={closing} />}
        </span>
      </PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:grid-rows-[auto_1fr] lg:items-start">
        {/* First on a phone, and the top of the second column on wide screens. */}
        <div className="lg:col-start-2">
          <BalanceCard account={account} />
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:col-start-1 lg:row-span-2 lg:row-start-1">
          <Card flush title="Statement">
            <EntryList entries={account.entries} generations={account.generations} />
          </Card>
          <Card flush title="Generations">
            <GenerationList generations={account.generations} />
          </Card>
          <Card flush title="API keys and connected apps">
            <KeyList keys={account.keys} />
          </Card>
          <Card flush title="Webhooks">
            <EndpointList endpoints={account.endpoints} />
          </Card>
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:col-start-2">
          {account.payments.length > 0 && (
            <Card flush title="Payments">
              <PaymentList payments={account.payments} />
            </Card>
          )}
          <Card flush title="Members">
            <MemberList members={account.members} />
          </Card>
          <Card title="Limits">
            <Limits limits={account.limits} />
          </Card>
          <Card title="Notes">
            <Notes account={id} notes={account.notes} />
          </Card>
          <Card flush title="Operator actions">
            <ActionList actions={account.actions} />
          </Card>
        </div>
      </div>
    </>
  );
}

/** Says which price book applies, and which one follows. */
const PriceBook = ({ account: { book, next_book } }: { account: AccountRecord }) => (
  <p className="mt-4 border-t border-line pt-4 text-sm text-soft">
    {book === null ? "Prices of the catalogue" : `Price book ${book}`}
    {next_book && (
      <>
        ; {next_book.id === null ? "the prices of the catalogue" : `price book ${next_book.id}`}{" "}
        <TimeUntil at={next_book.starts_at} />
      </>
    )}
  </p>
);

const BalanceCard = ({ account }: { account: AccountRecord }) => {
  const { balance, held, available, owed } = account;
  return (
    <Card title="Balance">
      <MoneyLines
        lines={[
          { name: "Balance", euros: balance },
          { name: "Reserved", euros: held },
          { name: "Available", euros: available },
          ...(owed > 0 ? [{ name: "Owed", euros: owed }] : []),
        ]}
      />
      <PriceBook account={account} />
    </Card>
  );
};

/** Lists an account's limits and how much of each is used. */
const Limits = ({ limits: { running, uploads, per_minute } }: { limits: AccountRecord["limits"] }) => (
  <dl className="grid gap-2 text-sm">
    <div className="flex justify-between gap-3">
      <dt className="text-soft">Running generations</dt>
      <dd className="tabular-nums">
        <Count value={running.used} /> of <Count value={running.max} />
      </dd>
    </div>
    <div className="flex justify-between gap-3">
      <dt className="text-soft">Uploads</dt>
      <dd>
        <Bytes value={uploads.used} /> of <Bytes value={uploads.max} />
      </dd>
    </div>
    {Object.entries(per_minute).map(([name, count]) => (
      <div key={name} className="flex justify-between gap-3">
        <dt className="text-soft">{limitNames[name as keyof typeof per_minute]} per minute</dt>
        <dd className="tabular-nums">
          <Count value={count} />
        </dd>
      </div>
    ))}
  </dl>
);

const limitNames = { reads: "Reads", writes: "Writes", keys: "Key changes" };

/** Shows operators' notes about an account, which its members never see. */
function Notes({ account, notes }: { account: number; notes: AccountRecord["notes"] }) {
  const isOperator = useIsOperator();
  return (
    <div className="grid gap-4 text-sm leading-6">
      {notes.length === 0 && <p className="text-soft">No notes. Only operators and auditors see them.</p>}
      {notes.map(({ id, text, author, created_at }) => (
        <div key={id}>
          <p className="wrap-anywhere whitespace-pre-wrap">{text}</p>
          <p className="text-xs text-soft">
            {author}, <TimeAgo at={created_at} />
          </p>
        </div>
      ))}
      {isOperator && <NoteForm account={account} />}
    </div>
  );
}

function NoteForm({ account }: { account: number }) {
  const add = useHubMutation((trpc) => trpc.admin.accounts.note, {
    invalidates: (trpc) => [trpc.admin.accounts.pathFilter()],
    showsError: true,
  });
  const onSubmit = (fields: FormData, form: HTMLFormElement) =>
    add.mutate({ account, text: readText(fields, "text") }, { onSuccess: () => form.reset() });
  return (
    <Form onSubmit={onSubmit} error={add.error}>
      <Field label="New note" name="text" error={errorsOf(add.error)?.message}>
        {(control) => (
          <TextArea {...control} name="text" rows={2} required maxLength={2_000} data-missing="Enter a note." />
        )}
      </Field>
      <Button type="submit" busy={add.isPending} className="justify-self-start">
        Add note
      </Button>
    </Form>
  );
}

/** Shows when an account closes, and what it waits for. */
function ClosingState({ closing }: { closing: NonNullable<AccountRecord["closing"]> }) {
  const { closes_at, closed_at, erased_at, waits_for } = closing;
  return (
    <>
      <Badge tone="danger">{erased_at ? "Erased" : closed_at ? "Closed" : "Closing"}</Badge>
      {!closed_at && (
        <span>
          closes <TimeUntil at={closes_at} />
          {waits_for.length > 0 && `, waits for ${waits_for.map((wait) => closingWaits[wait]).join(", ")}`}
        </span>
      )}
    </>
  );
}
