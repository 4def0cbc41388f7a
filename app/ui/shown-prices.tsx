"use client";

import { createContext, type ReactNode, useContext } from "react";
import { addVat, type VatRate } from "./gross";
import { Money } from "./money";

interface ShownPrices {
  /** With this VAT; null for net prices. */
  vat: VatRate | null;
  /** Whether tax is added to payments. */
  addsTax: boolean;
}

const ShownPricesContext = createContext<ShownPrices>({ vat: null, addsTax: false });

/** Provides how this hub shows prices to the components below. */
export const ShownPricesProvider = ({ children, ...shown }: ShownPrices & { children: ReactNode }) => (
  <ShownPricesContext value={shown}>{children}</ShownPricesContext>
);

/** Returns how this hub shows prices. */
export const useShownPrices = (): ShownPrices => useContext(ShownPricesContext);

/** Renders a price of the price list, given without VAT, as this hub shows prices. Amounts of credit are `Money`. */
export function Price({ euros, exact }: { euros: number; exact?: boolean }) {
  const { vat } = useShownPrices();
  return <Money exact={exact} euros={vat === null ? euros : addVat(euros, vat)} />;
}

/** Says whether the prices above include VAT; nothing on a hub without tax. */
export function PriceNote() {
  const { vat, addsTax } = useShownPrices();
  if (vat !== null) return <>Prices include {vat}% VAT. Credit is charged without it.</>;
  return addsTax && <>Prices exclude VAT.</>;
}

/** Says that credit has no VAT; nothing on a hub without tax. */
export function CreditTaxNote() {
  const { vat, addsTax } = useShownPrices();
  return (vat !== null || addsTax) && <>Credit and charges exclude VAT, which you pay when you top up.</>;
}
