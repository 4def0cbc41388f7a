"use client";

import type { ReactNode } from "react";
import { Badge, StatusBadge } from "../../../../ui/badge";
import { entryKindNames } from "../../../../ui/entry-kinds";
import { Link } from "../../../../ui/link";
import { Money } from "../../../../ui/money";
import { PaymentBadge, paymentKinds } from "../../../../ui/payment-badge";
import { TimeAgo } from "../../../../ui/values";
import type { AccountRecord } from "../../../types";
import { ErasePerson } from "./erase-person";

interface Item {
  id: string;
  title: ReactNode;
  detail?: ReactNode;
  end?: ReactNode;
}

/** Renders rows of a title with its detail, and a value at the end. */
function List({ items, empty }: { items: Item[]; empty: string }) {
  if (items.length === 0) return <p className="px-5 py-4 text-sm text-soft">{empty}</p>;
  return (
    <ul className="divide-y divide-line">
      {items.map(({ id, title, detail, end }) => (
        <li key={id} id={id} className="flex items-center justify-between gap-3 px-5 py-3 text-sm target:bg-wash">
          <div className="min-w-0">
            <div className="truncate font-medium">{title}</div>
            {detail && <div className="text-xs leading-5 wrap-anywhere text-soft">{detail}</div>}
          </div>
          {end && <div className="shrink-0 text-right">{end}</div>}
        </li>
      ))}
    </ul>
  );
}

type Entry = AccountRecord["entries"][number];

/** Lists the statement; a charge links to its generation if that is listed. */
export const EntryList = ({ entries, generations }: Pick<AccountRecord, "entries" | "generations">) => (
  <List
    empty="No transactions yet."
    items={entries.map((entry) => ({
      id: `entry-${entry.id}`,
      title: <EntryTitle entry={entry} isListed={generations.some(({ id }) => id === entry.generation_id)} />,
      detail: (
        <>
          <TimeAgo at={entry.created_at} />
          {[entry.note, entry.reference].filter(Boolean).map((text) => ` · ${text}`)}
        </>
      ),
      end: <Money euros={entry.amount} />,
    }))}
  />
);

function EntryTitle({ entry: { kind, model, generation_id }, isListed }: { entry: Entry; isListed: boolean }) {
  const text = [entryKindNames[kind], model].filter(Boolean).join(": ");
  if (!isListed) return text;
  return (
    <a href={`#${generation_id}`} className="text-accent hover:underline">
      {text}
    </a>
  );
}

export const PaymentList = ({ payments }: { payments: AccountRecord["payments"] }) => (
  <List
    empty="No payments."
    items={payments.map(({ id, kind, state, note, amount, created_at }) => ({
      id,
      title: (
        <Link href={`/admin/payments/${id}`} className="text-accent hover:underline">
          {note ?? paymentKinds[kind]}
        </Link>
      ),
      detail: <TimeAgo at={created_at} />,
      end: (
        <span className="grid justify-items-end gap-1">
          <PaymentBadge state={state} />
          <Money euros={amount} />
        </span>
      ),
    }))}
  />
);

export const GenerationList = ({ generations }: { generations: AccountRecord["generations"] }) => (
  <List
    empty="No generations yet."
    items={generations.map(({ id, model, status, cost, created_at }) => ({
      id,
      title: model,
      detail: (
        <>
          {id}, <TimeAgo at={created_at} />
        </>
      ),
      end: (
        <span className="grid justify-items-end gap-1">
          <StatusBadge status={status} />
          <Money euros={cost} />
        </span>
      ),
    }))}
  />
);

export const KeyList = ({ keys }: { keys: AccountRecord["keys"] }) => (
  <List
    empty="No keys."
    items={keys.map(({ id, name, prefix, revoked_at, last_used_at, spent }) => ({
      id,
      title: name,
      detail: (
        <>
          {prefix}…, last used {last_used_at ? <TimeAgo at={last_used_at} /> : "never"}
        </>
      ),
      end: revoked_at ? <Badge>Revoked</Badge> : <Money euros={spent} />,
    }))}
  />
);

export const EndpointList = ({ endpoints }: { endpoints: AccountRecord["endpoints"] }) => (
  <List
    empty="No webhooks."
    items={endpoints.map(({ id, url, status, events }) => ({
      id,
      title: url,
      detail: events.join(", "),
      end: <Badge tone={status === "active" ? "good" : "neutral"}>{status === "active" ? "Active" : "Revoked"}</Badge>,
    }))}
  />
);

export const MemberList = ({ members }: { members: AccountRecord["members"] }) => (
  <List
    empty="No members."
    items={members.map(({ person, email, role, last_seen_at }) => ({
      id: String(person),
      title: email,
      detail: last_seen_at ? (
        <>
          Last seen <TimeAgo at={last_seen_at} />
        </>
      ) : (
        "Not seen in 30 days"
      ),
      end: (
        <span className="flex items-center gap-3">
          <Badge>{role}</Badge>
          <ErasePerson email={email} />
        </span>
      ),
    }))}
  />
);

export const ActionList = ({ actions }: { actions: AccountRecord["actions"] }) => (
  <List
    empty="No operator actions yet."
    items={actions.map(({ id, action, operator, reason, created_at }) => ({
      id,
      title: action,
      detail: (
        <>
          {operator}, <TimeAgo at={created_at} />
          {reason && `: ${reason}`}
        </>
      ),
    }))}
  />
);
