/**
 * Returns SQL for whether any dispute is open of those that a payment's events `e` of the kinds `charge.dispute.%` report.
 * Events do not name their dispute, so they are counted; each is stored once. A payment has had at least one dispute, even
 * if the event of its creation was lost.
 */
export const hasOpenDisputeSql = (e: string): string => `
  count(*) FILTER (WHERE ${e}.kind = 'charge.dispute.closed')
  < greatest(count(*) FILTER (WHERE ${e}.kind = 'charge.dispute.created'), 1)`;
