/** Formats US dollars for people: with cents, and with more decimals below ten cents. */
export const formatDollars = (amount: number): string => {
  if (amount > 0 && amount < 0.00005) return "<$0.0001"
  return `$${amount.toFixed(amount > 0 && amount < 0.1 ? 4 : 2)}`
}
