"use client";

import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { useTRPC } from "../../trpc/client";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { errorsOf } from "../../ui/errors-of";
import { Filters, FilterSelect } from "../../ui/filter";
import { FilterSearch } from "../../ui/filter-search";
import { CheckField, Form, FormError } from "../../ui/form";
import { Link } from "../../ui/link";
import { Notice } from "../../ui/notice";
import { PageHeader } from "../../ui/page-header";
import { Pager } from "../../ui/pager";
import { Sample } from "../../ui/sample";
import { SecretDialog } from "../../ui/secret-dialog";
import { ActionTable, Td } from "../../ui/table";
import { useNewDialog } from "../../ui/use-new-dialog";
import { usePageInUrl } from "../../ui/use-page-in-url";
import { useSearch } from "../../ui/use-search";
import { TimeAgo, TimeUntil } from "../../ui/values";
import { keyFieldNames, KeyFields, readKeyFields } from "./key-fields";
import { KeyState } from "./key-state";
import { findKeys, readFilters, sortWords } from "./read-filters";
import { RevokeKey } from "./revoke-key";
import { Spending } from "./spending";
import { TestKey } from "./test-key";
import type { Key } from "./types";

const sample = (
  <Sample
    icon={<KeyRound size={18} />}
    title="my-app"
    detail="€3.20 of €10.00 this month"
    end={<Badge tone="good">Active</Badge>}
  />
);

/** How many keys a page of the list shows. */
const PAGE = 25;

/** The list has a search from this many keys on. */
const MIN_SEARCHED = 6;

export function Keys() {
  const { data: keys = [] } = useQuery(useTRPC().keys.list.queryOptions());
  const { isOpen: isCreating, setOpen: setCreating } = useNewDialog("develop");
  const hasActive = keys.some((key) => key.revoked_at === null);
  const create = (
    <Button needs="develop" kind="primary" onClick={() => setCreating(true)}>
      <Plus size={16} aria-hidden />
      Create key
    </Button>
  );
  return (
    <>
      <PageHeader title="API keys" action={hasActive && create}>
        API keys spend from your balance. Use one per app, with a limit.
      </PageHeader>
      <KeyList keys={keys} empty={<NoKeys action={create} />} />
      <CreateKey open={isCreating} onOpenChange={setCreating} />
    </>
  );
}

const NoKeys = ({ action }: { action: ReactNode }) => (
  <Notice heading="h3" title="No API keys yet" icon={<KeyRound size={20} />} sample={sample} action={action}>
    Send a key with each request as <code>Authorization: Bearer service_sk_…</code>. The{" "}
    <Link href="/docs/quick-start" className="text-accent underline">
      quick start
    </Link>{" "}
    shows how.
  </Notice>
);

/** Lists the keys of a status in pages, with a search; all keys are loaded, so both respond at once. */
function KeyList({ keys, empty }: { keys: Key[]; empty: ReactNode }) {
  const { read } = useSearch();
  const pager = usePageInUrl();
  const filters = readFilters(read);
  const found = findKeys(keys, filters);
  // The page of the URL may be gone, for example with the last key on it.
  const last = Math.max(Math.ceil(found.length / PAGE) - 1, 0);
  const page = Math.min(Math.max(Number.parseInt(pager.cursor ?? "", 10) || 0, 0), last);
  const shown = found.slice(page * PAGE, (page + 1) * PAGE);
  const word = filters.isRevoked ? "Revoked" : "Active";
  return (
    <Card flush title={word} action={<span className="text-sm text-soft tabular-nums">{found.length}</span>}>
      <KeyFilters keys={keys} filters={filters} onChange={pager.filter} />
      {shown.length > 0 ? (
        <KeyTable label={`${word} keys`} keys={shown} />
      ) : filters.q !== "" || filters.isRevoked ? (
        <Notice heading="h3" title="No matches" icon={<KeyRound size={20} />}>
          No {word.toLowerCase()} key matches this search.
        </Notice>
      ) : (
        empty
      )}
      <Pager
        pager={{ ...pager, isFirst: page === 0 }}
        next={(page + 1) * PAGE < found.length ? String(page + 1) : null}
        words={["Previous", "Next"]}
      />
    </Card>
  );
}

interface FilterProps {
  keys: Key[];
  filters: ReturnType<typeof readFilters>;
  onChange: (name: string, value: string) => void;
}

function KeyFilters({ keys, filters: { q, sort, isRevoked }, onChange }: FilterProps) {
  const revoked = keys.filter(({ revoked_at }) => revoked_at !== null).length;
  if (keys.length < MIN_SEARCHED && revoked === 0) return null;
  return (
    <Filters aria-label="Search and filters">
      <FilterSearch
        aria-label="Search API keys"
        placeholder="Search name, prefix or ID"
        className="basis-40"
        value={q}
        onSearch={(text) => onChange("q", text)}
      />
      <FilterSelect label="Sort" value={sort} onChange={({ target }) => onChange("sort", target.value)}>
        {Object.entries(sortWords).map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </FilterSelect>
      <FilterSelect
        label="Status"
        value={isRevoked ? "revoked" : ""}
        onChange={({ target }) => onChange("status", target.value)}
      >
        <option value="">Active ({keys.length - revoked})</option>
        <option value="revoked">Revoked ({revoked})</option>
      </FilterSelect>
    </Filters>
  );
}

const KeyTable = ({ label, keys }: { label: string; keys: Key[] }) => (
  <ActionTable
    label={label}
    columns={[
      { title: "Name" },
      { title: "Spent", className: "max-md:hidden" },
      { title: "Last used", className: "max-md:hidden" },
      { title: "Expires", className: "max-md:hidden" },
      { title: "Created", className: "max-md:hidden" },
    ]}
  >
    {keys.map((key) => (
      <KeyRow key={key.id} apiKey={key} />
    ))}
  </ActionTable>
);

function KeyRow({ apiKey: key }: { apiKey: Key }) {
  const isRevoked = key.revoked_at !== null;
  return (
    <tr>
      <Td className="max-w-72 max-md:w-full max-md:max-w-0 max-md:pr-0">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link href={`/keys/${key.id}`} className="max-w-full truncate font-medium hover:underline" title={key.name}>
            {key.name}
          </Link>
          <KeyState apiKey={key} />
          {key.require_idempotency && <Badge>Idempotency required</Badge>}
        </span>
        <code className="font-mono text-xs text-soft">{key.prefix}…</code>
        <div className="mt-2 md:hidden">
          <Spending apiKey={key} />
        </div>
      </Td>
      <Td className="max-md:hidden">
        <Spending apiKey={key} />
      </Td>
      <Td className="text-soft max-md:hidden">{key.last_used_at ? <TimeAgo at={key.last_used_at} /> : "Never"}</Td>
      <Td className="text-soft max-md:hidden">{key.expires_at ? <TimeUntil at={key.expires_at} /> : "Never"}</Td>
      <Td className="text-soft max-md:hidden">
        <TimeAgo at={key.created_at} />
      </Td>
      <Td className="text-right">{!isRevoked && <RevokeKey apiKey={key} label={`Revoke ${key.name}`} />}</Td>
    </tr>
  );
}

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function CreateKey({ open, onOpenChange }: Props) {
  const create = useHubMutation((trpc) => trpc.keys.create, {
    invalidates: (trpc) => [trpc.keys.list.queryFilter()],
    showsError: true,
  });
  return (
    <SecretDialog
      open={open}
      onOpenChange={onOpenChange}
      create={create}
      title="Create an API key"
      kind="key"
      reveal={({ name, key }) => ({ title: `“${name}” is ready`, secret: key, details: <TestKey secret={key} /> })}
    >
      <KeyForm busy={create.isPending} error={create.error} onSubmit={(form) => create.mutate(readKeyForm(form))} />
    </SecretDialog>
  );
}

interface FormProps {
  busy: boolean;
  error: unknown;
  onSubmit: (form: FormData) => void;
}

function KeyForm({ busy, error, onSubmit }: FormProps) {
  const errors = errorsOf(error);
  return (
    <Form onSubmit={onSubmit} error={error}>
      <KeyFields errors={errors} />
      <CheckField
        name="idempotent"
        label="Require an Idempotency-Key"
        hint="Requests without an Idempotency-Key are rejected, so a retry is never charged twice."
      />
      <FormError>{errors?.messageUnlessAt(...keyFieldNames)}</FormError>
      <Button kind="primary" type="submit" busy={busy}>
        Create key
      </Button>
    </Form>
  );
}

/** Returns the form's values as input of `keys.create`. */
const readKeyForm = (form: FormData) => ({ ...readKeyFields(form), require_idempotency: form.has("idempotent") });
