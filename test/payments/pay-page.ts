import type { ServerResponse } from "node:http";
import { type Card, cards, type StripeDouble } from "./stripe-double";

interface Visit {
  pathname: string;
  body: string;
  response: ServerResponse;
}

/** Serves the double's pages for a browser: one on which it pays, the portal, and an invoice. */
export function payPage(double: StripeDouble, { pathname, body, response }: Visit): void {
  const show = (title: string, content = "") =>
    void response
      .writeHead(200, { "content-type": "text/html; charset=utf-8" })
      .end(`<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${content}`);
  const [, page, id] = pathname.split("/");
  const session = page === "pay" ? double.sessions.get(id ?? "") : undefined;
  if (!session) return show(page === "portal" ? "Customer portal" : page === "invoice" ? "Invoice" : "Not found");
  const card = new URLSearchParams(body).get("card");
  if (card === null) {
    const options = Object.keys(cards).map((number) => `<option>${number}</option>`);
    return show(
      session.mode === "setup"
        ? "Save a card"
        : `Pay ${((session.amount_subtotal + session.tax) / 100).toFixed(2)} EUR`,
      `<form method="post"><label>Card <select name="card">${options.join("")}</select></label><button>Pay</button></form>`,
    );
  }
  double.pay(session.id, { card: card as Card });
  response.writeHead(303, { location: session.success_url }).end();
}
