"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { BookOpen } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "../../../trpc/client";
import type { Outputs } from "../../../trpc/outputs";
import { useHubMutation } from "../../../trpc/use-hub-mutation";
import { Badge } from "../../../ui/badge";
import { Card } from "../../../ui/card";
import { useFormats } from "../../../ui/formats-context";
import { Money } from "../../../ui/money";
import { Notice } from "../../../ui/notice";
import { PageHeader } from "../../../ui/page-header";
import { Sample } from "../../../ui/sample";
import { Table, Td, Th } from "../../../ui/table";
import { Count } from "../../../ui/values";
import { RevisionDraft } from "../revision-draft";

const sample = (
  <Sample icon={<BookOpen size={18} />} title="Partners" detail="every model: × 0.9" end={<Badge>3 accounts</Badge>} />
);

type Applied = Outputs["admin"]["books"]["get"];
type Book = Applied["books"][number];

/** Shows the price books, and lets an operator check and apply changes. */
export function Books() {
  const { data } = useQuery({ ...useTRPC().admin.books.get.queryOptions(), refetchOnWindowFocus: false });
  if (!data) return null;
  return (
    <>
      <PageHeader title="Price books">
        Prices of individual accounts that differ from the catalogue. Assign a book on the account’s page.
      </PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <Card flush title="Applied books">
          {data.books.length === 0 ? (
            <Notice heading="h3" title="No price books" icon={<BookOpen size={20} />} sample={sample}>
              Every account pays the prices of the catalogue. Describe books below; docs/books.md lists their settings.
            </Notice>
          ) : (
            <BookTable books={data.books} />
          )}
        </Card>
        {/* A new revision resets the editor. */}
        <Draft key={data.revision} applied={data} />
      </div>
    </>
  );
}

const BookTable = ({ books }: { books: Book[] }) => (
  <Table label="Applied books">
    <thead>
      <tr>
        <Th>Book</Th>
        <Th>Prices</Th>
        <Th className="text-right">Accounts</Th>
        <Th className="text-right max-sm:hidden">Trial credit</Th>
      </tr>
    </thead>
    <tbody>
      {books.map((book) => (
        <tr key={book.id}>
          <Td>
            <span className="font-medium">{book.name}</span>
            {book.name !== book.id && <span className="block text-xs text-soft">{book.id}</span>}
          </Td>
          <Td className="whitespace-normal">
            <BookPrices book={book} />
          </Td>
          <Td className="text-right">
            <Count value={book.accounts} />
          </Td>
          <Td className="text-right max-sm:hidden">
            {book.trial_credit > 0 ? <Money euros={book.trial_credit} decimals={2} /> : "—"}
          </Td>
        </tr>
      ))}
    </tbody>
  </Table>
);

/** Says how the prices of a book differ from those of the catalogue. */
function BookPrices({ book: { multipliers, fixed, volume_discounts } }: { book: Book }) {
  const { number, percent, euros } = useFormats();
  const lines = [
    ...fixed.map((model) => `${model}: fixed price`),
    ...multipliers.map(({ models, multiplier }) => `${models}: × ${number(multiplier, 6)}`),
    ...volume_discounts.map(({ from, discount }) => `${percent(discount)} off from ${euros(from, 0, 2)} a month`),
  ];
  if (lines.length === 0) return "As in the catalogue";
  return lines.map((line) => (
    <span key={line} className="block">
      {line}
    </span>
  ));
}

function Draft({ applied: { revision, source: applied } }: { applied: Applied }) {
  const [source, setSource] = useState(applied);
  const check = useMutation(useTRPC().admin.books.check.mutationOptions());
  const apply = useHubMutation((trpc) => trpc.admin.books.applyDraft, {
    invalidates: (trpc) => [trpc.admin.books.get.queryFilter()],
    showsError: true,
    successToast: (made) => `Applied as revision ${made.revision}.`,
  });
  return (
    <RevisionDraft
      label="Price books as YAML"
      base={revision}
      applied={applied}
      source={source}
      onChange={setSource}
      check={check}
      apply={apply}
    />
  );
}
